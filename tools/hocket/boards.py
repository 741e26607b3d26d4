"""The boards that Hocket knows, and which of them this release can run."""

from __future__ import annotations

from dataclasses import dataclass

from hocket.errors import HocketError


@dataclass(frozen=True)
class Board:
    name: str
    what: str
    clock: str  # what the report's times mean
    served: bool  # can this release build for it and run it?
    most_cores: int


BOARDS = (
    Board(
        "sim",
        "the kernel and the sketch compiled for this computer, with simulated cores, pins and parts",
        "virtual",
        True,
        64,
    ),
    Board("virt", "the AArch64 kernel image in QEMU", "emulated", False, 8),
    Board(
        "uno", "Arduino Uno (ATmega328P), simulated cycle by cycle or real", "emulated", False, 1
    ),
    Board("rpi3", "Raspberry Pi 3 and Zero 2 W, from an SD card or in QEMU", "wall", False, 4),
)


def find_board(name: str) -> Board:
    """The board of this name, if this release serves it; HocketError otherwise."""
    for board in BOARDS:
        if board.name == name:
            if board.served:
                return board
            raise HocketError(
                f"the board {name} is not in this release",
                f"it is planned: {board.what}",
                f"use --board {served_names()}",
            )
    raise HocketError(
        f"there is no board {name!r}",
        f"the boards are {', '.join(board.name for board in BOARDS)}",
        f"use --board {served_names()}",
    )


def served_names() -> str:
    return " or ".join(board.name for board in BOARDS if board.served)
