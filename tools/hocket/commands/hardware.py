"""Errors of `flash` for boards that it does not support."""

from __future__ import annotations

from typing import NoReturn

from hocket.boards import BOARDS, board_named
from hocket.errors import HocketError

_REAL = tuple(board for board in BOARDS if board.card or board.programmed)
_NEXT = (
    f"add {' or '.join(f'--board {board.name}' for board in _REAL)}; "
    "hocket run SKETCH runs it on a simulated one"
)


def which_board() -> NoReturn:
    """Refuses to flash without --board: only the user knows which board is connected."""
    raise HocketError("no board was given", f"flash writes to a real board: {_served()}", _NEXT)


def no_hardware(board: str) -> NoReturn:
    """Raises the error for a board that the command does not support."""
    if board_named(board) is None:
        raise HocketError(
            f"there is no board {board!r}",
            f"the boards are {', '.join(known.name for known in BOARDS)}",
            "run: hocket boards",
        )
    raise HocketError(f"flash does not serve the board {board}", f"it serves {_served()}", _NEXT)


def _served() -> str:
    return "; ".join(
        f"{board.name} ({board.full_name}), by {'a memory card' if board.card else 'its cable'}"
        for board in _REAL
    )
