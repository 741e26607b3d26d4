"""`flash` and `monitor`: for real boards, of which this release has none."""

from __future__ import annotations

from typing import NoReturn

from hocket.boards import BOARDS
from hocket.errors import HocketError


def no_hardware(command: str, board: str) -> NoReturn:
    """Says plainly which boards the command will serve."""
    if board not in {known.name for known in BOARDS}:
        raise HocketError(
            f"there is no board {board!r}",
            f"the boards are {', '.join(known.name for known in BOARDS)}",
            "run: hocket boards",
        )
    raise HocketError(
        f"{command} serves no board of this release",
        "it will serve uno (Arduino Uno) and rpi3 (Raspberry Pi 3, Zero 2 W)",
        "run the sketch on the simulated board: hocket run SKETCH",
    )
