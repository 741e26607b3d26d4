"""What `flash` and `monitor` say about boards that they do not serve."""

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
    if command == "flash":
        raise HocketError(
            f"flash does not serve the board {board}",
            "it serves rpi3 (Raspberry Pi 3, Zero 2 W), by a memory card",
            "run the sketch on the simulated board: hocket run SKETCH",
        )
    raise HocketError(
        f"{command} serves no board of this release",
        "it will serve uno (Arduino Uno) and rpi3 (Raspberry Pi 3, Zero 2 W)",
        "run the sketch on the simulated board: hocket run SKETCH",
    )
