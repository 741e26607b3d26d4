"""Changes one value in the text of a scenario, and leaves everything else as the user wrote it.

The text is not written anew from its values: what changes is cut out of it or put into it, at the places
that the parser gives. So comments, blank lines, quotes and the order of the keys stay. After each change
the text is read again, and must say exactly what it said before plus that change. Where it does not, as
with an alias that stands for the same text twice, the change is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any

from hocket.errors import HocketError
from hocket.scenario.document import document_of, parse

Keys = Sequence[str]
LONGEST_LINE = 100  # characters; a new part that needs more gets a line for each of its keys

_PLAIN = re.compile(r"[A-Za-z0-9_.+-][A-Za-z0-9_.+/%°µ-]*( [A-Za-z0-9_.+/%°µ-]+)*")
_HERE = Path("scenario.yaml")
_EXPECTED = ("expect", "never")


def set_value(text: str, keys: Keys, value: object) -> str:
    """The text with this value behind these keys. Mappings on the way there are made."""
    wanted = _value_of(text)
    place = wanted
    for key in keys[:-1]:
        if not isinstance(place.get(key), dict):
            place[key] = {}
        place = place[key]
    place[keys[-1]] = deepcopy(value)
    return _checked(_Text(text).put(keys, value), wanted)


def remove(text: str, keys: Keys) -> str:
    """The text without this key and its value. A comment on their lines goes with them, others stay."""
    wanted = _value_of(text)
    place = wanted
    for key in keys[:-1]:
        place = place[key]
    del place[keys[-1]]
    return _checked(_Text(text).cut(keys), wanted)


def rename_part(text: str, name: str, to: str) -> str:
    """The text with another name for this part, in what is expected of it as well."""
    wanted = _value_of(text)
    wanted["parts"] = {to if key == name else key: part for key, part in wanted["parts"].items()}
    for key in _EXPECTED:
        for item in _mentions(wanted.get(key), name):
            item["part"] = to
    return _checked(_Text(text).rename_part(name, to), wanted)


def _mentions(value: Any, name: str) -> Iterator[dict[str, Any]]:
    """The mappings that speak of this part."""
    if isinstance(value, dict) and value.get("part") == name:
        yield value
    for each in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from _mentions(each, name)


def value_in(text: str) -> object:
    """What a user typed as a value: a number, a text, a list. HocketError: it is not one value of YAML."""
    return document_of(_HERE, text).value


def written(value: object) -> str:
    """A value as it stands on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{written(key)}: {written(of)}" for key, of in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(written(each) for each in value) + "]"
    if isinstance(value, str):
        return value if _is_plain(value) else _quoted(value)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return repr(value)


@lru_cache(4096)
def _is_plain(text: str) -> bool:
    """Whether it is the same text without quotes, in a list as well as by itself."""
    if not _PLAIN.fullmatch(text):
        return False
    try:
        return document_of(_HERE, f"[{text}]").value == [text]
    except HocketError:
        return False


def _quoted(text: str) -> str:
    """In double quotes. What cannot be printed is escaped."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(
        each if each.isprintable() else f"\\U{ord(each):08x}" if ord(each) > 0xFFFF else f"\\u{ord(each):04x}"
        for each in quoted
    )  # fmt: skip


def _value_of(text: str) -> dict[str, Any]:
    value = document_of(_HERE, text).value
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _cannot("it is no mapping")
    return value


def _checked(text: str, wanted: dict[str, Any]) -> str:
    """The new text, if it says what it must."""
    try:
        found = _value_of(text)
    except HocketError as problem:
        raise _cannot(problem.cause or problem.fact) from problem
    if json.dumps(found) != json.dumps(wanted):  # true is not 1, and the order counts
        raise _cannot("another value would change with it, as behind an anchor (&) or an alias (*)")
    return text


def _cannot(cause: str) -> HocketError:
    return HocketError(
        "the scenario is written in a form in which this cannot be changed here",
        cause,
        "change it in an editor",
    )


def _behind_colon(text: str, key: Any) -> int:
    """The place behind the colon of a key."""
    end: int = key.end_mark.index
    return text.index(":", end) + 1


def end_of(text: str, pair: Any) -> int:
    """The place behind the last character of a pair of nodes, a key and its value."""
    key, value = pair
    if isinstance(value.value, list) and not value.flow_style:
        last = value.value[-1]
        return end_of(text, last if isinstance(last, tuple) else (key, last))
    start: int = value.start_mark.index
    end: int = value.end_mark.index
    if start == end:  # there is nothing, and the parser says so where the next thing is
        return _behind_colon(text, key)
    return start + len(text[start:end].rstrip())


class _Text:
    """The text of a scenario, and the nodes of its parts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root: Any = parse(_HERE, text, "nodes")
        self.newline = "\r\n" if "\r\n" in text else "\n"

    # --- Where things are ---

    def _pair(self, mapping: Any, key: str) -> Any:
        """The nodes of a key and its value, or None."""
        for pair in mapping.value if _is_mapping(mapping) else ():
            if pair[0].value == key:
                return pair
        return None

    def _found(self, keys: Keys) -> list[Any]:
        """The pairs behind these keys, as far as there are any."""
        found: list[Any] = []
        node = self.root
        for key in keys:
            pair = self._pair(node, key)
            if pair is None:
                break
            found.append(pair)
            node = pair[1]
        return found

    def _colon(self, key: Any) -> int:
        return _behind_colon(self.text, key)

    def _end(self, pair: Any) -> int:
        return end_of(self.text, pair)

    def _line_end(self, place: int) -> int:
        """The place behind the line of a place, its newline included."""
        end = self.text.find("\n", place)
        return len(self.text) if end < 0 else end + 1

    def _line_start(self, place: int) -> int:
        return self.text.rfind("\n", 0, place) + 1

    # --- Changes ---

    def put(self, keys: Keys, value: object) -> str:
        found = self._found(keys)
        if len(found) == len(keys):
            return self._replace(found[-1], written(value))
        if found and not _is_mapping(found[-1][1]):  # `parts:` with nothing behind it
            return self._begin_block(found[-1], keys[len(found) :], value)
        mapping = found[-1][1] if found else self.root
        rest = keys[len(found) :]
        if mapping is None:
            return self._append_line(len(self.text), _entry(rest, value, 0, self.newline))
        is_empty = mapping.flow_style and not mapping.value and not self.root.flow_style
        if is_empty and len(found) == 1:  # `parts: {}`
            return self._begin_block(found[-1], rest, value)
        if mapping.flow_style:
            entry = f"{written(rest[0])}: {written(_nested(rest, value))}"
            return self._insert_in_flow(mapping, entry)
        indent = mapping.value[0][0].start_mark.column
        place = self._line_end(self._end(mapping.value[-1]))
        return self._append_line(place, _entry(rest, value, indent, self.newline))

    def _replace(self, pair: Any, new: str) -> str:
        key, value = pair
        start, end = value.start_mark.index, self._end(pair)
        if value.start_mark.index == value.end_mark.index:
            colon = self._colon(key)
            return f"{self.text[:colon]} {new}{self.text[colon:]}"
        if (
            isinstance(value.value, list)
            and not value.flow_style
            and value.start_mark.line > key.start_mark.line
        ):
            # Its lines go. What is behind the colon, as a comment, stays.
            colon, first = self._colon(key), self._line_start(start)
            return f"{self.text[:colon]} {new}{self.text[colon:first]}{self.text[self._line_end(end) :]}"
        if start > 0 and self.text[start] in "|>":  # lines of text
            new += self.newline if self.text[end : end + 1] not in ("\r", "\n", "") else ""
        return self.text[:start] + new + self.text[end:]

    def _begin_block(self, pair: Any, keys: Keys, value: object) -> str:
        """The first entry of a mapping that is empty."""
        key, before = pair
        colon = self._colon(key)
        start, end = before.start_mark.index, before.end_mark.index
        kept = (
            self.text[colon:start].rstrip(" ") + self.text[end:]
            if end > start
            else self.text[colon:]
        )
        self.text = self.text[:colon] + kept
        indent = key.start_mark.column + 2
        return self._append_line(self._line_end(colon), _entry(keys, value, indent, self.newline))

    def _append_line(self, place: int, line: str) -> str:
        before = self.text[:place]
        if before and not before.endswith("\n"):
            before += self.newline
        return before + line + self.text[place:]

    def _insert_in_flow(self, mapping: Any, entry: str) -> str:
        if not mapping.value:
            place = mapping.start_mark.index + 1
            return self.text[:place] + entry + self.text[place:]
        place = self._end(mapping.value[-1])
        return f"{self.text[:place]}, {entry}{self.text[place:]}"

    def cut(self, keys: Keys) -> str:
        found = self._found(keys)
        pair = found[-1]
        mapping = found[-2][1] if len(found) > 1 else self.root
        if mapping.flow_style:
            return self._cut_from_flow(mapping, pair)
        first, last = self._line_start(pair[0].start_mark.index), self._line_end(self._end(pair))
        if len(mapping.value) > 1 or len(found) < 2:
            return self.text[:first] + self.text[last:]
        colon = self._colon(found[-2][0])  # an empty mapping stays
        return f"{self.text[:colon]} {{}}{self.text[colon:first]}{self.text[last:]}"

    def _cut_from_flow(self, mapping: Any, pair: Any) -> str:
        start, end = pair[0].start_mark.index, self._end(pair)
        index = next(i for i, each in enumerate(mapping.value) if each is pair)
        comma = re.compile(r"\s*,[ \t]*").match(self.text, end)
        if comma is not None and index + 1 < len(mapping.value):
            return self.text[:start] + self.text[comma.end() :]
        before = self._end(mapping.value[index - 1]) if index > 0 else start
        if self.text[before:start].strip() == ",":
            start = before
        elif comma is not None:
            end = comma.end()
        return self.text[:start] + self.text[end:]

    def rename_part(self, name: str, to: str) -> str:
        nodes = [self._found(["parts", name])[-1][0]]
        for key in _EXPECTED:
            found = self._found([key])
            nodes += self._speaking(found[0][1], name) if found else []
        text = self.text
        for node in sorted(nodes, key=lambda node: -int(node.start_mark.index)):
            text = text[: node.start_mark.index] + to + text[node.end_mark.index :]
        return text

    def _speaking(self, node: Any, name: str) -> list[Any]:
        """The nodes of a part's name in what is expected."""
        found: list[Any] = []
        for each in node.value if isinstance(node.value, list) else ():
            key, value = each if isinstance(each, tuple) else (None, each)
            if key is not None and key.value == "part" and value.value == name:
                found.append(value)
            found += self._speaking(value, name)
        return found


def _is_mapping(node: Any) -> bool:
    return node is not None and str(node.id) == "mapping"


def _nested(keys: Keys, value: object) -> object:
    """What stands behind the first of the keys."""
    for key in reversed(keys[1:]):
        value = {key: value}
    return value


def _entry(keys: Keys, value: object, indent: int, newline: str) -> str:
    """Lines for a new key of a block: one if it is short enough, else one for each key below it."""
    space = " " * indent
    if len(keys) > 1:  # the top level: `parts:`
        inner = _entry(keys[1:], value, indent + 2, newline)
        return f"{space}{written(keys[0])}:{newline}{inner}"
    line = f"{space}{written(keys[0])}: {written(value)}"
    if len(line) <= LONGEST_LINE or not isinstance(value, dict) or not value:
        return line + newline
    lines = "".join(f"{space}  {written(key)}: {written(of)}{newline}" for key, of in value.items())
    return f"{space}{written(keys[0])}:{newline}{lines}"
