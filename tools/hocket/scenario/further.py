"""A second board in a scenario: its sketch, its parts, and the wires between the two boards.

    boards:
      pong: {sketch: ../pong, parts: {lamp: {type: led, pin: 13}}}
    wires:
      - {here: 3, pong: 2}
      - {here: TX, pong: RX}

`here` is the board of the sketch that `hocket run` runs. TX and RX are pins 1 and 0. A wire between them
carries what Serial sends.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hocket.boards import boards_with, listed
from hocket.errors import HocketError
from hocket.inside import holds, outside
from hocket.scenario.boards import Board
from hocket.scenario.document import Document
from hocket.scenario.flatten import Flattener, Where, driver_at
from hocket.scenario.structure import meant, who

HERE = "here"
SERIAL = {"RX": 0, "TX": 1}


@dataclass(frozen=True)
class Further:
    """The second board: its name, its sketch, the flat text of its parts, and the wires, each from a pin of
    the first board to a pin of this one."""

    name: str
    sketch: Path
    flat: str
    wires: tuple[tuple[int, int], ...]


def further_board(
    document: Document, board: Board, here: Flattener, problems: list[HocketError]
) -> Further | None:
    """Returns the scenario's second board, or None. here: the first board, whose text has been made. Errors
    of the second board's parts are added to `problems`. Raises HocketError."""
    value: Any = document.value
    if "boards" not in value:
        return None
    if not board.wired:
        able = listed(boards_with("wired"))
        raise document.error(
            ("boards",),
            f"the board {board.name} cannot be wired to another one",
            f"use --board {able}, or remove boards and wires",
            f"only the simulator of the board {able} runs two boards in one time",
        )
    ((name, described),) = value["boards"].items()
    if name == HERE:
        raise document.error(
            ("boards", name),
            "a board cannot be called here",
            "give it another name",
            "here is the board whose sketch is run",
        )
    sketch = _sketch(document, name, described["sketch"])
    there = Flattener(document, board, ("boards", name))
    flat = there.text(problems) if there.parts else ""
    wires = _Wires(document, board, name, {HERE: here, name: there})
    return Further(name, sketch, flat, wires.read())


def _sketch(document: Document, name: str, written: str) -> Path:
    path = document.file.parent / written
    if not holds(path, document.roots):
        fact, cause, step = outside(f"sketch of {name}", path, document.roots)
        raise document.error(("boards", name, "sketch"), fact, step, cause)
    if not path.exists():
        raise document.error(
            ("boards", name, "sketch"),
            f"there is no sketch {written[:200]}",
            "name a folder with an .ino file, seen from the scenario's own folder",
            f"looked for {path}",
        )
    return path


class _Wires:
    """Reads the wires and refuses those that make no electrical sense."""

    def __init__(
        self, document: Document, board: Board, name: str, sides: dict[str, Flattener]
    ) -> None:
        self.document = document
        self.board = board
        self.name = name
        self.sides = sides
        self.used: dict[tuple[str, int], int] = {}  # line by side and pin

    def read(self) -> tuple[tuple[int, int], ...]:
        value: Any = self.document.value
        return tuple(self.wire(index, wire) for index, wire in enumerate(value["wires"]))

    def wire(self, index: int, wire: dict[str, int | str]) -> tuple[int, int]:
        for side in wire:
            if side not in self.sides:
                raise self.document.error(
                    ("wires", index, side),
                    f"there is no board {side[:64]}" + meant(side, self.sides),
                    f"a wire has two ends: {HERE}, and {self.name}",
                )
        self.check_serial(index, wire)
        here, there = (self.pin(index, side, wire[side]) for side in (HERE, self.name))
        self.check_drivers(index, here, there)
        return here, there

    def pin(self, index: int, side: str, written: int | str) -> int:
        where: Where = ("wires", index, side)
        pin = SERIAL.get(str(written), self.board.pin(written))
        if pin is None:
            raise self.document.error(
                where,
                f"the wire ends at pin {str(written)[:20]} of {side}, which the board "
                f"{self.board.name} does not have",
                f"its pins are {self.board.pins_with('digital')}, LED_BUILTIN, TX and RX",
            )
        line = self.document.line(where)
        if (side, pin) in self.used:
            raise self.document.error(
                where,
                f"pin {written} of {side} has two wires",
                "keep one of them; a pin leads to one pin of the other board",
                f"the other one is in line {self.used[side, pin]}",
            )
        self.used[side, pin] = line
        return pin

    def check_serial(self, index: int, wire: dict[str, int | str]) -> None:
        ends = [str(end) for end in wire.values()]
        if ends[0] == ends[1] and ends[0] in SERIAL:
            does = "sends" if ends[0] == "TX" else "listens"
            raise self.document.error(
                ("wires", index),
                f"this wire leads from {ends[0]} to {ends[0]}: at both ends a board {does}",
                "lead TX of one board to RX of the other",
            )

    def check_drivers(self, index: int, here: int, there: int) -> None:
        first, second = (
            driver_at(side, pin)
            for side, pin in zip(self.sides.values(), (here, there), strict=True)
        )
        if first is None or second is None:
            return
        raise self.document.error(
            ("wires", index),
            f"{who(first)} and {who(second)} both drive this wire",
            "keep one of the two parts, or the wire out",
            f"they are in lines {self.document.line(first)} and {self.document.line(second)}",
        )
