"""The scenario of a lab while it is built: the text that would be saved, and what is wrong with it.

A page says what is to change, never what the file is: that is the scenario with which the lab was
started, or scenario.yaml in the sketch's folder. What a page sends is a stranger's: each value is checked
here, and the whole text by the checks of every run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from hocket.errors import HocketError, SeveralErrors, system_error
from hocket.inside import outside, place_of
from hocket.scenario import catalogue, edit, scenario_of
from hocket.scenario.boards import BOARDS
from hocket.scenario.document import MOST_BYTES, Document, document_of
from hocket.scenario.folded import Folded, folded
from hocket.whole_files import KeptFile, not_written

Message = dict[str, Any]

NEW_FILE = "scenario.yaml"
_MOST_BACK = 100  # changes that can be undone …
_MOST_BACK_CHARACTERS = 16 * 1024 * 1024  # … of texts that together have no more than that
_LONGEST_SHOWN = 4000  # characters of a value; a longer one is changed in an editor
_LONGEST_TEXT = 32 * 1024  # characters of a scenario that a page shows as text
_BOM = b"\xef\xbb\xbf"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


class Draft:
    """file: the scenario of the run; None: there is none yet. folder: the sketch's."""

    def __init__(self, file: Path | None, folder: Path, board: str) -> None:
        self.file = file if file is not None else folder / NEW_FILE
        self._folder = folder
        self._board = BOARDS[board]
        self._on_disk = self._read() if file is not None else None
        self._saved = _decoded(self._on_disk)
        self._now = folded(self._saved)
        self._known: Document | None = None
        self._known_of: Folded | None = None
        self._before: list[Folded] = []
        self._after: list[Folded] = []

    # --- What a page sees ---

    def message(self) -> Message:
        """All of it, as a page shows it."""
        document, problems = self._checked()
        parts, elsewhere = self._placed(document, problems)
        return {
            "is": "scenario",
            "file": self.file.name,
            "changed": self._now.text != self._saved,
            "undo": bool(self._before),
            "redo": bool(self._after),
            "parts": parts,
            "problems": elsewhere,
            "text": self._now.text if self._now.size() <= _LONGEST_TEXT else None,
        }

    def _document(self) -> Document:
        """The text's values. HocketError: it cannot be read."""
        if self._known_of is not self._now or self._known is None:
            self._known = self._now.document(self.file, self._folder)
            if self._known.value is None:
                self._known.value = {}
            self._known_of = self._now
        return self._known

    def _checked(self) -> tuple[Document, list[HocketError]]:
        """The text's values, and what is wrong with them."""
        try:
            document = self._document()
        except HocketError as unreadable:
            return Document(self.file, {}), [unreadable]
        try:
            scenario_of(document, self._board.name)
        except SeveralErrors as several:
            return document, list(several.errors)
        except HocketError as one:
            return document, [one]
        return document, []

    def _placed(
        self, document: Document, problems: list[HocketError]
    ) -> tuple[list[Message], list[str]]:
        """Each part with what is wrong with it, and what is wrong elsewhere."""
        keys: dict[int, tuple[str, str]] = {}  # of a line: the part, and its key
        for path, line in document.lines.items():
            if path[:1] == ("parts",) and len(path) > 1:
                part, key = (
                    str(path[1]),
                    ".".join(str(step) for step in path[2:] if isinstance(step, str)),
                )
                keys.setdefault(line, (part, key))
        found: dict[str, list[Message]] = {}
        elsewhere: list[str] = []
        for problem in problems:
            words = _words(problem)
            if problem.line in keys:
                part, key = keys[problem.line]
                # On a part's first line may stand all of it.
                key = key or _key_named(problem.fact, _value_in(document, ["parts", part]))
                found.setdefault(part, []).append({"key": key, "text": words})
            else:
                elsewhere.append(f"line {problem.line}: {words}" if problem.line else words)
        parts = document.value.get("parts") if isinstance(document.value, dict) else None
        shown = [
            self._part(name, part, found.get(name, []))
            for name, part in (parts.items() if isinstance(parts, dict) else ())
            if isinstance(part, dict)
        ]
        return shown, elsewhere

    def _part(self, name: str, part: Message, problems: list[Message]) -> Message:
        kind = catalogue.types().get(str(part.get("type")))
        values: Message = {}
        for key in kind.keys if kind is not None else ():
            value = catalogue.value_of(part, key.name)
            if value is not None:
                values[key.name] = _shown(value, key.kind in ("text", "part"))
        return {
            "name": name,
            "type": str(part.get("type")),
            "values": values,
            "pins": catalogue.pins_of(part, self._board),
            "problems": problems,
        }

    def _value(self, keys: list[str]) -> Any:
        return _value_in(self._document(), keys)

    def cores(self) -> int | None:
        """The number of cores that the text says, also if the rest of it is invalid."""
        found = re.search(r"^cores: *([1-9][0-9]?) *(?:#.*)?$", self._now.text, re.MULTILINE)
        return int(found[1]) if found is not None else None

    # --- Changes ---

    def change(self, command: Message) -> str | None:
        """Does what a page asks. The name of a part that is new, or has a new name. HocketError: it cannot be
        done, and nothing is changed."""
        what = command.get("change")
        if what == "undo":
            self._step(self._before, self._after)
        elif what == "redo":
            self._step(self._after, self._before)
        elif what == "load":
            self._load()
        elif what == "add":
            return self._add(_text_of(command, "type"))
        elif what == "remove":
            name = self._existing(command)
            self._take(self._now.changed(lambda text: edit.remove(text, ["parts", name])))
        elif what == "rename":
            return self._rename(self._existing(command), _text_of(command, "to"))
        elif what == "text":
            self._take(folded(_text_of(command, "to")))
        elif what == "set":
            self._set(self._existing(command), _text_of(command, "key"), command.get("to"))
        else:
            raise _unknown()
        return None

    def _step(self, one: list[Folded], other: list[Folded]) -> None:
        if one:
            other.append(self._now)
            self._now = one.pop()

    def _take(self, new: Folded) -> None:
        if len(new.text.encode()) > MOST_BYTES:
            raise HocketError(
                "the scenario would be larger than 4 MiB",
                next_step="remove what is not needed, or describe repeated signals by a generator",
            )
        if new.text == self._now.text:
            return
        self._before.append(self._now)
        self._now = new
        self._after.clear()
        while len(self._before) > _MOST_BACK or self._size_back() > _MOST_BACK_CHARACTERS:
            del self._before[0]

    def _size_back(self) -> int:
        return sum(each.size() for each in self._before)

    def _existing(self, command: Message) -> str:
        name = _text_of(command, "part")
        if not isinstance(self._value(["parts", name]), dict):
            raise HocketError(
                f"there is no part {name[:64]} any more",
                next_step="undo the change that removed it, or add another one",
            )
        return name

    def _add(self, kind: str) -> str:
        if kind not in catalogue.types():
            raise HocketError(
                f"there is no part type {kind[:64]}",
                next_step="choose one of docs/reference/parts.md",
            )
        parts = self._value(["parts"]) or {}
        number = 1
        while (name := kind if number == 1 else f"{kind}_{number}") in parts:
            number += 1
        part = catalogue.first(kind, self._board, parts)
        self._put(["parts", name], part)
        return name

    def _put(self, keys: list[str], value: object) -> None:
        self._take(self._now.changed(lambda text: edit.set_value(text, keys, value), keys))

    def _rename(self, name: str, to: str) -> str:
        if name == to:
            return to
        if not _NAME.fullmatch(to):
            raise HocketError(
                f"{to[:40]!r} cannot be a part's name",
                next_step="use up to 64 letters, digits, _ and -, starting with a letter",
            )
        if self._value(["parts", to]) is not None:
            raise HocketError(f"there is a part {to} already", next_step="choose another name")
        mentions = list(self._mentions(name))

        def renamed(text: str) -> str:
            text = edit.rename_part(text, name, to)
            for other, key in mentions:
                text = edit.set_value(text, ["parts", to if other == name else other, key], to)
            return text

        self._take(self._now.changed(renamed))
        return to

    def _mentions(self, name: str) -> Iterator[tuple[str, str]]:
        """Parts, and the key of each by which it names this one."""
        for other, part in self._value(["parts"]).items():
            kind = catalogue.types().get(str(part.get("type"))) if isinstance(part, dict) else None
            for key in kind.keys if kind is not None else ():
                if key.kind == "part" and part.get(key.name) == name:
                    yield other, key.name

    def _set(self, name: str, key: str, to: object) -> None:
        kind = catalogue.types().get(str(self._value(["parts", name, "type"])))
        known = kind.key(key) if kind is not None else None
        if known is None:
            raise HocketError(
                f"{name} has no key {key[:64]}",
                next_step="choose one of its type in docs/reference/parts.md",
            )
        keys = ["parts", name, *key.split(".")]
        if to is None:
            if self._value(keys) is not None:
                self._take(self._now.changed(lambda text: edit.remove(text, keys)))
            return
        if not isinstance(to, str):
            raise _unknown()
        value = to if known.kind in ("text", "part") else edit.value_in(to)
        if value is None or not to.strip():
            raise HocketError("there is no value here", next_step="write one, or leave it empty")
        self._put(keys, value)

    # --- The file ---

    def save(self) -> None:
        """Replaces the file, whole or not at all. HocketError: it is as it was."""
        _, problems = self._checked()
        if problems:
            first = problems[0]
            raise HocketError(f"it is not saved: {first.fact}", first.cause, first.next_step)
        text = self._now.text
        scenario_of(document_of(self.file, text, self._folder), self._board.name)  # the whole of it
        place = place_of(self.file, (self._folder, self.file.parent))
        if place is None:
            raise HocketError(*outside("the scenario", self.file, (self._folder,)))
        marked = (self._on_disk or b"").startswith(_BOM)
        content = (_BOM if marked else b"") + text.encode()
        try:
            with KeptFile(place) as kept:
                kept.reserve()
                opened = kept.read()
                if (_content(opened) if opened is not None else None) != self._on_disk:
                    raise HocketError(
                        f"{self.file.name} has been changed outside the lab",
                        "saving would lose that change",
                        "load the file again, and make your changes anew",
                    )
                kept.replace(content)
        except OSError as problem:
            raise not_written("the scenario", problem, self.file) from problem
        self._on_disk, self._saved = content, text

    def _load(self) -> None:
        """The file as it is now. What was built can be had back by `undo`."""
        content = self._read()
        text = _decoded(content)
        self._on_disk, self._saved = content, text
        self._take(folded(text))

    def _read(self) -> bytes | None:
        place = place_of(self.file, (self._folder, self.file.parent))
        if place is None:
            raise HocketError(*outside("the scenario", self.file, (self._folder,)))
        try:
            with KeptFile(place) as kept:
                opened = kept.read()
                return _content(opened) if opened is not None else None
        except OSError as problem:
            raise system_error(f"{self.file.name} cannot be read", problem) from problem


def _value_in(document: Document, keys: list[str]) -> Any:
    value: Any = document.value
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _content(opened: Any) -> bytes:
    with opened:
        content: bytes = opened.read(MOST_BYTES + 1)
    return content


def _decoded(content: bytes | None) -> str:
    try:
        return (content or b"").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise HocketError("the scenario is not UTF-8 text", "", "save it as UTF-8") from None


def _shown(value: object, is_text: bool) -> str | None:
    """A value as the page shows it; None: it is too long for that."""
    if isinstance(value, str) and is_text:
        text = value
    elif sum(1 for _ in islice(_leaves(value), _LONGEST_SHOWN // 4)) == _LONGEST_SHOWN // 4:
        return None
    else:
        text = edit.written(value)
    return text if len(text) <= _LONGEST_SHOWN else None


def _leaves(value: object) -> Iterator[object]:
    inner = (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    )
    if inner is None:
        yield value
    for each in inner or ():
        yield from _leaves(each)


def _text_of(command: Message, name: str) -> str:
    value = command.get(name)
    if not isinstance(value, str):
        raise _unknown()
    return value


def _unknown() -> HocketError:
    return HocketError(
        "this page sends something that this Hocket does not know",
        next_step="load the page again: it may be of another Hocket",
    )


def _words(problem: HocketError) -> str:
    """On one line, with the next step as the command line has it."""
    return f"{problem.fact}. Next: {problem.next_step}" if problem.next_step else problem.fact


def _key_named(fact: str, part: object) -> str:
    """The key of a part of which a message speaks: it begins with it."""
    names = list(part) if isinstance(part, dict) else []
    words = fact.split()
    return next((each for each in words[:1] if each in names), "")
