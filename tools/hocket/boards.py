"""The boards that Hocket knows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hocket.errors import HocketError
from hocket.packages import require


@dataclass(frozen=True)
class Board:
    name: str
    what: str
    clock: str  # what the report's times mean
    most_cores: int
    packages: str = ""  # group of tools/packages.txt that it needs besides
    card: bool = False  # it starts from a memory card (`hocket flash`)
    programmed: bool = False  # it takes Intel HEX by a serial port (`hocket flash`)


BOARDS = (
    Board(
        "sim",
        "the kernel and the sketch compiled for this computer, with simulated cores, pins and parts",
        "virtual",
        64,
    ),
    Board("virt", "the AArch64 kernel image in QEMU", "emulated", 8, "aarch64"),
    Board(
        "uno",
        "Arduino Uno (ATmega328P), simulated cycle by cycle",
        "emulated",
        1,
        "uno",
        programmed=True,
    ),
    Board(
        "rpi3",
        "Raspberry Pi 3 and Zero 2 W, from an SD card; `run` runs it in QEMU",
        "emulated",
        4,
        "aarch64",
        card=True,
    ),
)


def find_board(name: str) -> Board:
    """The board of this name, if there is one and its packages are there; else HocketError."""
    for board in BOARDS:
        if board.name == name:
            if board.packages:
                require(board.packages, f"the board {name}")
            return board
    raise HocketError(
        f"there is no board {name!r}",
        f"the boards are {', '.join(board.name for board in BOARDS)}",
        f"use --board {board_names()}",
    )


def listed(names: Iterable[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def board_names() -> str:
    return listed(board.name for board in BOARDS)
