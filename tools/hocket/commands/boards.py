"""`hocket boards`: lists the boards."""

from __future__ import annotations

from hocket.boards import BOARDS
from hocket.tables import print_table


def boards_command() -> int:
    rows = [
        (
            board.name,
            f"1 to {board.most_cores}" if board.most_cores > 1 else "1",
            board.what,
        )
        for board in BOARDS
    ]
    print_table(("board", "cores", "what it is"), rows, left=3)
    return 0
