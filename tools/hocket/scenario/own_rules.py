"""Rules for parts of a single type that the schema cannot express."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hocket.scenario import units
from hocket.scenario.document import Document
from hocket.scenario.structure import meant, who

Where = tuple[str | int, ...]
Part = dict[str, Any]

_USUAL_KEYS = ("123A", "456B", "789C", "*0#D")
_DISPLAY_CHARACTERS = 80


def check_own_rules(document: Document, part: Part, where: Where) -> None:
    """Raises HocketError if the part breaks the rule of its type. where: the part, which has the schema's
    shape."""
    rule = _RULES.get(part["type"])
    if rule is not None:
        rule(document, part, where)


def _keypad(document: Document, part: Part, where: Where) -> None:
    keys = _keys(document, part, where)
    ends: dict[str, int] = {}
    for index, press in enumerate(part.get("pressed", ())):
        key, place = press["key"], (*where, "pressed", index)
        if key not in keys:
            raise document.error(
                (*place, "key"),
                f"{who(where)} has no key {key}{meant(key, keys)}",
                f"its keys are {' '.join(keys)}",
            )
        begin = units.parse(press["at"], "time")
        if key in ends and begin <= ends[key]:
            raise document.error(
                (*place, "at"),
                f"key {key} of {who(where)} is pressed at {press['at']}, before it is released",
                "begin after the press before it has ended",
            )
        ends[key] = begin + units.parse(press["for"], "time")


def _keys(document: Document, part: Part, where: Where) -> list[str]:
    """Returns the labels of the keys, row by row."""
    rows, columns = len(part["rows"]), len(part["columns"])
    texts = part.get("keys")
    if texts is None:
        if rows > 4 or columns > 4:
            raise document.error(
                where,
                f"{who(where)} has {rows} rows of {columns} keys, and they have no names",
                f"add keys: {rows} texts of {columns} characters",
            )
        texts = [row[:columns] for row in _USUAL_KEYS[:rows]]
    if len(texts) != rows:
        raise document.error(
            (*where, "keys"),
            f"keys of {who(where)} has {len(texts)} texts, and the keypad {rows} rows",
            "give one text for each row",
        )
    for index, text in enumerate(texts):
        if len(text) != columns:
            raise document.error(
                (*where, "keys", index),
                f"row {index + 1} of keys of {who(where)} has {len(text)} keys, and the keypad "
                f"{columns} columns",
                "give one character for each column",
            )
    names = list("".join(texts))
    for name in names:
        if names.count(name) > 1:
            raise document.error(
                (*where, "keys"),
                f"{who(where)} has two keys {name}",
                "give each key a name of its own",
            )
    return names


def _hd44780(document: Document, part: Part, where: Where) -> None:
    if len(part["data"]) not in (4, 8):
        raise document.error(
            (*where, "data"),
            f"data of {who(where)} has {len(part['data'])} pins",
            "give 4 (D4 to D7) or 8 (D0 to D7)",
        )
    columns, lines = part.get("columns", 16), part.get("lines", 2)
    if columns * lines > _DISPLAY_CHARACTERS:
        raise document.error(
            (*where, "columns"),
            f"{who(where)} has {lines} lines of {columns} characters, and one controller shows "
            f"{_DISPLAY_CHARACTERS}",
            "use at most 20 columns with 4 lines; larger modules have two controllers",
        )


_RULES: dict[str, Callable[[Document, Part, Where], None]] = {
    "hd44780": _hd44780,
    "keypad": _keypad,
}
