"""Errors of `flash` for boards that it does not support."""

from __future__ import annotations

from typing import NoReturn

from hocket.boards import BOARDS
from hocket.errors import HocketError


def which_board() -> NoReturn:
    """Refuses to flash without --board: only the user knows which board is connected."""
    raise HocketError(
        "no board was given",
        "flash writes to a real board: an Arduino Uno, or the memory card of a Raspberry Pi",
        "add --board uno or --board rpi3; hocket run SKETCH runs it on a simulated one",
    )


def no_hardware(board: str) -> NoReturn:
    """Raises the error for a board that the command does not support."""
    if board not in {known.name for known in BOARDS}:
        raise HocketError(
            f"there is no board {board!r}",
            f"the boards are {', '.join(known.name for known in BOARDS)}",
            "run: hocket boards",
        )
    raise HocketError(
        f"flash does not serve the board {board}",
        "it serves rpi3 (Raspberry Pi 3, Zero 2 W), by a memory card; uno, by its cable",
        "add --board uno or --board rpi3; hocket run SKETCH runs it on a simulated one",
    )
