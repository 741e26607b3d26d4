"""Turns a checked scenario into the lines that the simulated board reads, guided by the schema.

Rules that JSON Schema cannot express are checked here, from the schema's `x-hocket` keywords:

  kind       pin | quantity | profile | text | hex | file | part: how a value is converted
  use        digital | analog | pwm: the function that the pin must have
  drives     the part drives this pin: one such part per wire
  joins      the list's pins become one wire
  apart      the list's pins are on separate wires, which are not those of the part's other pins
  min, max   bounds of a quantity
  ascending  the list's times ascend (by this field, or themselves); lasting: no item begins before the
             previous one ends
  order      two keys of which the first is the smaller
  types      the types of part that a name may refer to
  sends      the part sends to its serial port if it has this key
  ends       the part is a program at the FIFO that this key names: one for each
  only       the board that has the part; others leave it out
  single     a board has at most one part of the type
  once       no two items of the list have the same value of this field
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hocket.errors import HocketError
from hocket.inside import Place, outside, place_of
from hocket.scenario import units
from hocket.scenario.boards import Board
from hocket.scenario.claims import Claims
from hocket.scenario.document import Document
from hocket.scenario.own_rules import check_own_rules
from hocket.scenario.structure import Schema, meant, resolved, schema, who

Where = tuple[str | int, ...]

_WRITTEN = ("picture", "file", "saves")  # keys of kind file that are also written
MOST_PROBLEMS = 50  # reported at most; all parts are checked


class Wires:
    """Which pins are connected, and which part drives each wire."""

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}
        self.drivers: dict[int, tuple[Where, int]] = {}

    def root(self, pin: int) -> int:
        while self._parent.get(pin, pin) != pin:
            pin = self._parent[pin]
        return pin

    def join(self, pin: int, other: int) -> bool:
        """Connects two pins. Returns False if they were connected already."""
        first, second = self.root(pin), self.root(other)
        self._parent[second] = first
        return first != second


class Flattener:
    """Makes the flat text of one board's parts: the document's, or those of the further board at `root`.
    Raises HocketError."""

    def __init__(self, document: Document, board: Board, root: Where = ()) -> None:
        self.document = document
        self.board = board
        self.root = root
        value: Any = document.value
        for step in root:
            value = value[step]
        parts: dict[str, dict[str, Any]] = value.get("parts", {})
        self.parts = {name: part for name, part in parts.items() if _is_on(part, board)}
        self.wires = Wires()
        self.claims = Claims(document, root)
        self.written: dict[Path, Where] = {}  # files that parts write

    def text(self, problems: list[HocketError] | None = None) -> str:
        """Returns the flat scenario: a heading, then each part in order of its name. Errors of parts are
        added to `problems`. Without such a list the first error is raised."""
        lines = ["hocket-scenario 1"]
        ordered = sorted(self.parts.items())
        wires_first = sorted(ordered, key=lambda item: item[1]["type"] != "wire")
        flat: dict[str, list[str]] = {}
        for name, part in wires_first:
            try:
                flat[name] = self.part(name, part)
            except HocketError as error:
                if problems is None:
                    raise
                problems.append(error)
                if len(problems) >= MOST_PROBLEMS:
                    break
        for name, part in ordered:
            lines.append(f"part {part['type']} {name}")
            lines.extend(flat.get(name, ()))
        return "\n".join(lines) + "\n"

    def part(self, name: str, part: dict[str, Any]) -> list[str]:
        node = schema()["$defs"]["parts"][part["type"]]
        where: Where = (*self.root, "parts", name)
        lines = list(self.members(part, node, where, ""))
        check_own_rules(self.document, part, where)
        self.claims.note(name, part, node)
        return lines

    def members(
        self, value: dict[str, Any], node: Schema, where: Where, prefix: str
    ) -> Iterator[str]:
        self.check_order(value, node, where)
        self.check_own_pins(value, node, where)
        for key, each in node["properties"].items():  # in the schema's order, not the file's
            if key in value and (key != "type" or prefix):
                yield from self.entry(value[key], resolved(each), (*where, key), prefix + key)

    def entry(self, value: Any, node: Schema, where: Where, key: str) -> Iterator[str]:
        extra = node.get("x-hocket", {})
        if extra.get("kind") == "profile":
            for point in self.profile(value, node, where):
                yield f"{key} {point}"
        elif isinstance(value, dict):
            yield from self.members(value, node, where, key + ".")
        elif isinstance(value, list):
            yield from self.items(value, node, where, key)
        else:
            yield f"{key} {self.scalar(value, node, where)}"

    def items(self, values: list[Any], node: Schema, where: Where, key: str) -> Iterator[str]:
        item_node = resolved(node["items"])
        for index, value in enumerate(values):
            yield f"{key} {self.item(value, item_node, (*where, index))}"
        extra = node.get("x-hocket", {})
        if "ascending" in extra:
            self.check_ascending(values, item_node, where, extra)
        if extra.get("joins"):
            self.join_pins(values, where)
        if "once" in extra:
            self.check_once(values, extra["once"], where)

    def item(self, value: Any, node: Schema, where: Where) -> str:
        if not isinstance(value, dict):
            return self.scalar(value, node, where)
        fields = (
            f"{key}={self.scalar(value[key], resolved(each), (*where, key))}"
            for key, each in node["properties"].items()
            if key in value
        )
        return " ".join(fields)

    def profile(self, value: Any, node: Schema, where: Where) -> Iterator[str]:
        if not isinstance(value, list):
            yield f"at=0 is={self.quantity(value, node['x-hocket'], where)}"
            return
        item_node = resolved(node["items"])
        lines = [self.item(point, item_node, (*where, index)) for index, point in enumerate(value)]
        first = value[0]
        if "is" not in first or units.parse(first["at"], "time") != 0:
            raise self.document.error(
                (*where, 0),
                f"the first point of {who(where)} does not say where it is at 0 s",
                "begin with {at: 0 s, is: …}",
            )
        self.check_ascending(value, item_node, where, {"ascending": "at"})
        yield from lines

    def scalar(self, value: Any, node: Schema, where: Where) -> str:
        extra = node.get("x-hocket", {})
        match extra.get("kind"):
            case "pin":
                return str(self.pin(value, extra, where))
            case "quantity":
                return str(self.quantity(value, extra, where))
            case "text":
                return self.encoded(value, where)
            case "hex":
                return self.bytes_of(value, where)
            case "file":
                return self.encoded(str(self.file(value, where)), where)
            case "part":
                return self.reference(value, extra, where)
        return str(value).lower() if isinstance(value, bool) else str(value)

    def encoded(self, value: str, where: Where) -> str:
        try:
            return value.encode().hex()
        except UnicodeEncodeError:
            raise self.document.error(
                where,
                f"{who(where)} contains a code that is not a character",
                "write bytes of text only",
            ) from None

    def file(self, value: str, where: Where) -> Place:
        """Returns the place of a file whose name in the scenario is relative to the scenario's folder."""
        path = self.document.file.parent / value
        place = place_of(path, self.document.roots)
        if place is None:
            fact, cause, step = outside(who(where), path, self.document.roots)
            raise self.document.error(where, fact, step, cause)
        if any(name.startswith(".") for name in Path(place.below).parts):
            raise self.document.error(
                where,
                f"{who(where)} is a hidden file or lies in a hidden folder",
                "choose names that do not begin with a dot",
                "such files are settings, which other programs follow (.git, .vscode)",
            )
        if where[-1] in _WRITTEN:
            other = self.written.setdefault(place.path, where)
            if other != where:
                raise self.document.error(
                    where,
                    f"{who(where)} and {who(other)} are both kept in {value[:200]}",
                    "give each a file of its own",
                    f"the other one is in line {self.document.line(other)}",
                )
        return place

    def bytes_of(self, value: str, where: Where) -> str:
        if re.fullmatch(r"([0-9a-fA-F]{2})+", value):
            return value.lower()
        fact = f"{who(where)} is {value[:20]}, which is not a list of bytes"
        raise self.document.error(where, fact, 'write two digits for each byte, as in hex: "e803"')

    def quantity(self, value: Any, extra: dict[str, Any], where: Where) -> int:
        kind = extra["unit"]
        try:
            number = units.parse(value, kind)
        except units.UnitError as error:
            raise self.document.error(
                where, f"{who(where)}: {error.fact}", error.next_step
            ) from None
        self.check_bounds(number, value, extra, where)
        return number

    def check_bounds(self, number: int, value: Any, extra: dict[str, Any], where: Where) -> None:
        for bound in ("min", "max"):
            if bound not in extra:
                continue
            limit = units.parse(extra[bound], extra["unit"])
            if number >= limit if bound == "min" else number <= limit:
                continue
            word, least = ("below", "at least") if bound == "min" else ("above", "at most")
            fact = f"{who(where)} is {value}, {word} {extra[bound]}"
            raise self.document.error(where, fact, f"give {least} {extra[bound]}")

    def pin(self, value: Any, extra: dict[str, Any], where: Where) -> int:
        pin = self.board.pin(value)
        board, use = self.board, extra["use"]
        if pin is None:
            raise self.document.error(
                where,
                f"{who(where)} is pin {str(value)[:20]}, which the board {board.name} does not have",
                f"its pins are {board.pins_with('digital')}, and LED_BUILTIN",
            )
        if not board.has(pin, use):
            lacks = {
                "analog": "has no analog input",
                "pwm": "has no PWM",
                "digital": "is an analog input only",
            }[use]
            usable = board.pins_with(use)
            raise self.document.error(
                where,
                f"{who(where)} is pin {value}, which {lacks}",
                f"use one of {usable}" if usable else f"the board {board.name} has no such pin",
            )
        if extra.get("drives"):
            self.note_driver(pin, where)
        return pin

    def check_own_pins(self, value: dict[str, Any], node: Schema, where: Where) -> None:
        """Checks that the pins of a part are different, and that those of a list with `apart` are on separate
        wires."""
        used: dict[int, str] = {}
        for key, each in node["properties"].items():
            if key not in value:
                continue
            extra = resolved(each).get("x-hocket", {})
            if extra.get("kind") == "pin":
                self.note_own_pin(used, key, value[key], (*where, key), who(where))
            elif extra.get("apart") and isinstance(value[key], list):
                for index, written in enumerate(value[key]):
                    self.note_own_pin(used, key, written, (*where, key, index), who(where))

    def note_own_pin(
        self, used: dict[int, str], key: str, written: Any, where: Where, part: str
    ) -> None:
        pin = self.board.pin(written)
        if pin is None:
            return
        if pin in used:
            both = (
                f"{used[pin]} and {key} of {part} are both on pin {written}"
                if used[pin] != key
                else f"{key} of {part} names pin {written} twice"
            )
            raise self.document.error(where, both, "give each its own pin")
        joined = next(
            (other for other in used if self.wires.root(other) == self.wires.root(pin)), None
        )
        if joined is not None and not isinstance(where[-1], str):
            raise self.document.error(
                where,
                f"pins {self.board.name_of(joined)} and {written} of {part} are connected by a wire",
                "give each its own pin, or remove the wire",
            )
        used[pin] = key

    def note_driver(self, pin: int, where: Where) -> None:
        wire = self.wires.root(pin)
        if wire in self.wires.drivers:
            other, other_pin = self.wires.drivers[wire]
            joined = "" if pin == other_pin else ", which a wire connects"
            pins = (
                f"pin {self.board.name_of(pin)}"
                if pin == other_pin
                else (f"pins {self.board.name_of(other_pin)} and {self.board.name_of(pin)}")
            )
            raise self.document.error(
                where,
                f"{who(other)} and {who(where)} both drive {pins}{joined}",
                "move one of them to another pin",
                f"the other one is in line {self.document.line(other)}",
            )
        self.wires.drivers[wire] = (where, pin)

    def join_pins(self, values: list[Any], where: Where) -> None:
        first, *others = [self.board.pin(value) for value in values]
        for index, other in enumerate(others, start=1):
            if first is None or other is None or not self.wires.join(first, other):
                raise self.document.error(
                    (*where, index),
                    f"pin {values[index]} is on the wire {where[-2]} twice",
                    "name each pin once, and connect two pins by one wire only",
                )

    def check_once(self, values: list[dict[str, Any]], field: str, where: Where) -> None:
        seen: set[Any] = set()
        for index, value in enumerate(values):
            if value[field] in seen:
                raise self.document.error(
                    (*where, index, field),
                    f"{field} {value[field]} of {who(where)} is described twice",
                    "put all its settings into one item",
                )
            seen.add(value[field])

    def reference(self, value: str, extra: dict[str, Any], where: Where) -> str:
        if value in self.parts and self.parts[value]["type"] in extra["types"]:
            return value
        fitting = [name for name, part in self.parts.items() if part["type"] in extra["types"]]
        kinds = " or ".join(extra["types"])
        fact = (
            f"{who(where)} is {value}, which is of type {self.parts[value]['type']}, not {kinds}"
            if value in self.parts
            else f"{who(where)} is {value[:64]}, and there is no such part{meant(value, fitting)}"
        )
        step = (
            f"parts of type {kinds}: {', '.join(sorted(fitting))}"
            if fitting
            else f"add a part of type {kinds}"
        )
        raise self.document.error(where, fact, step)

    def check_ascending(
        self, values: list[Any], node: Schema, where: Where, extra: dict[str, Any]
    ) -> None:
        field = extra["ascending"]
        before: int | None = None
        for index, value in enumerate(values):
            if field and field not in value:
                continue
            place: Where = (*where, index, field) if field else (*where, index)
            shown = value[field] if field else value
            at = units.parse(shown, "time")
            if before is not None and (at < before or (at == before and not extra.get("equal"))):
                raise self.document.error(
                    place,
                    f"the times of {who(where)} do not ascend: {shown} is not after the one before"
                    + (" has ended" if "lasting" in extra else ""),
                    "put them in order of time",
                )
            lasts = field and value.get(extra.get("lasting"))
            before = at + (units.parse(lasts, "time") if lasts else 0)

    def check_order(self, value: dict[str, Any], node: Schema, where: Where) -> None:
        extra = node.get("x-hocket", {})
        if "order" not in extra or not any(key in value for key in extra["order"]):
            return
        nodes = [resolved(node["properties"][key]) for key in extra["order"]]
        low, high = (
            self.quantity(value.get(key, each.get("default")), each["x-hocket"], (*where, key))
            for key, each in zip(extra["order"], nodes, strict=True)
        )
        if low > high or (low == high and extra.get("strict")):
            lower, upper = extra["order"]
            raise self.document.error(
                (*where, upper if upper in value else lower),
                f"{lower} of {who(where)} is above its {upper}"
                if low > high
                else f"{lower} of {who(where)} is its {upper}",
                f"make {lower} the smaller one",
            )


def _is_on(part: dict[str, Any], board: Board) -> bool:
    only = schema()["$defs"]["parts"][part["type"]].get("x-hocket", {}).get("only", board.name)
    return bool(only == board.name)


def flatten(document: Document, board: Board) -> str:
    """Returns the flat text of a document with the schema's shape. Raises HocketError."""
    return Flattener(document, board).text()


def driver_at(flattener: Flattener, pin: int) -> Where | None:
    """Returns the part that drives the wire of this pin. Call text() first."""
    found = flattener.wires.drivers.get(flattener.wires.root(pin))
    return found[0] if found else None
