"""Scenarios: what is wired to the simulated board (docs/reference/scenario.md).

`load` checks a scenario file and gives the flat text that the board's program reads:

  YAML ── document ──> values with lines ── structure ──> of the schema's shape ── flatten ──> lines
"""

from __future__ import annotations

from pathlib import Path

from hocket.errors import HocketError
from hocket.scenario.boards import BOARDS
from hocket.scenario.document import read
from hocket.scenario.flatten import flatten
from hocket.scenario.structure import check

__all__ = ["load"]


def load(path: Path, board: str = "sim") -> str:
    """The flat text of a scenario file for a board.

    Raises HocketError (exit code 2, with the file and the line) for everything that is wrong with it.
    """
    if board not in BOARDS:
        raise HocketError(
            f"the board {board} has no simulated parts",
            "scenarios describe parts around a simulated board",
            f"leave --scenario out, or use the board {' or '.join(BOARDS)}",
            file=path,
        )
    document = read(path)
    check(document)
    return flatten(document, BOARDS[board])
