"""The text of a scenario with its longest values folded, so that a change elsewhere does not read them
again.

A value of 9,000 points takes seconds to read. In the short text a name stands for it, and its text, its
values and their lines are kept beside it. A text with anchors is never folded, because its values depend on
each other.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hocket.errors import HocketError
from hocket.scenario.document import Document, Path_, document_and_nodes, document_of
from hocket.scenario.edit import end_of

_LONG_TEXT = 20_000  # characters; a shorter text is read fast enough
_LONG_VALUE = 4_000  # characters of a value that is worth folding


@dataclass(frozen=True)
class Fold:
    """A value that is folded. lines: of what is in it, counted from its first line, by the path below it."""

    text: str
    value: object
    lines: Mapping[Path_, int]


@dataclass(frozen=True)
class Folded:
    """short: the text with a name in the place of each fold."""

    short: str
    folds: Mapping[str, Fold]

    @cached_property
    def text(self) -> str:
        """The whole text."""
        whole = self.short
        for name, fold in self.folds.items():
            whole = whole.replace(name, fold.text)
        return whole

    def size(self) -> int:
        return len(self.short) + sum(len(fold.text) for fold in self.folds.values())

    def changed(self, change: Callable[[str], str], written: Sequence[str] = ()) -> Folded:
        """Returns the text after a change of its short form. written: the path of a value that the change
        replaces, which is therefore not folded in it."""
        before = self.short
        for name, path in self._paths().items() if written else ():
            if path == tuple(written):
                before = before.replace(name, self.folds[name].text)
        short = change(before)
        return _of_short(short, {name: fold for name, fold in self.folds.items() if name in short})

    def document(self, file: Path, folder: Path | None = None) -> Document:
        """As document_of() of the whole text."""
        document = document_of(file, self.short, folder)
        if not self.folds:
            return document
        places = {
            name: self.short.count("\n", 0, self.short.index(name)) + 1 for name in self.folds
        }

        def whole(line: int) -> int:
            """Returns the line in the whole text of a line of the short one."""
            return line + sum(
                self.folds[name].text.count("\n") for name, at in places.items() if at < line
            )

        lines = {path: whole(line) for path, line in document.lines.items()}
        for name, path in _named(document.value, self.folds):
            _at(document.value, path[:-1])[path[-1]] = self.folds[name].value
            first = whole(places[name])
            inner = self.folds[name].lines
            lines |= {(*path, *below): first + line for below, line in inner.items()}
        document.lines = lines
        return document

    def _paths(self) -> dict[str, Path_]:
        return dict(_named(document_of(Path(), self.short).value, self.folds)) if self.folds else {}


def folded(text: str) -> Folded:
    """Returns the text with its long values folded. A text that cannot be read stays as it is."""
    return _of_short(text, {})


def _of_short(short: str, folds: dict[str, Fold]) -> Folded:
    if len(short) < _LONG_TEXT:
        return Folded(short, folds)
    try:
        document, root = document_and_nodes(Path(), short)
    except HocketError:
        return Folded(short, folds)
    if _has_anchors(root):
        return Folded(short, folds)
    found = dict(folds)
    for path, pair in sorted(_long_values(root), key=lambda each: -each[1][1].start_mark.index):
        key, node = pair
        start, end = node.start_mark.index, end_of(short, pair)
        # A list may begin in the column of its key. A name there would be another key.
        space = " " if node.start_mark.column <= key.start_mark.column else ""
        name = f"{space}folded-{secrets.token_hex(12)}"
        first = int(node.start_mark.line) + 1
        lines = {
            each[len(path) :]: line - first
            for each, line in document.lines.items()
            if each[: len(path)] == path and len(each) > len(path)
        }
        found[name] = Fold(short[start:end], _at(document.value, path), lines)
        short = short[:start] + name + short[end:]
    return Folded(short, found)


def _long_values(root: Any) -> Iterator[tuple[Path_, Any]]:
    """Yields the long values of parts: their paths, and the nodes of key and value."""
    for name, part in _pairs(_value_node(root, "parts")):
        for key, value in _pairs(part):
            if (
                isinstance(value.value, list)
                and value.end_mark.index - value.start_mark.index > _LONG_VALUE
            ):
                yield ("parts", str(name.value), str(key.value)), (key, value)


def _pairs(node: Any) -> Iterator[tuple[Any, Any]]:
    yield from node.value if node is not None and node.id == "mapping" else ()


def _value_node(node: Any, key: str) -> Any:
    return next((value for name, value in _pairs(node) if name.value == key), None)


def _has_anchors(root: Any) -> bool:
    waiting = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        if node.anchor:
            return True
        for each in node.value if isinstance(node.value, list) else ():
            waiting += each if isinstance(each, tuple) else (each,)
    return False


def _named(value: object, folds: Mapping[str, Fold]) -> Iterator[tuple[str, Path_]]:
    """Yields the folds that a short document has, each with its path."""
    names = {name.strip(): name for name in folds}
    parts = value.get("parts") if isinstance(value, dict) else None
    for part, keys in parts.items() if isinstance(parts, dict) else ():
        for key, each in list(keys.items()) if isinstance(keys, dict) else ():
            if isinstance(each, str) and each in names:
                yield names[each], ("parts", part, key)


def _at(value: Any, path: Path_) -> Any:
    for step in path:
        value = value[step]
    return value
