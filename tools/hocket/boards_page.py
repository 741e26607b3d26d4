"""The table of docs/reference/boards.md, made from the boards' descriptions.

`PYTHONPATH=tools python -m hocket.boards_page` writes it anew after a change of a board.toml. A test compares
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from hocket.boards import BOARDS, BOARDS_FOLDER, Board
from hocket.paths import ROOT

PAGE = ROOT / "docs" / "reference" / "boards.md"
_PROTECTION = {
    "none": "none",
    "guards": "guard pages behind stacks",
    "domains": "the kernel's memory and devices",
}


def boards_table(boards: Sequence[Board]) -> str:
    """Returns the boards side by side."""
    rows = [
        (
            "board",
            "what it is",
            "cores",
            "protection",
            "pins",
            "PWM beside loops",
            "onto a real one",
        ),
        *(_row(board) for board in boards),
    ]
    return _table(rows)


def _row(board: Board) -> tuple[str, ...]:
    real = "a memory card" if board.card else "a serial port" if board.programmed else "–"
    return (
        f"`{board.name}`",
        board.full_name,
        f"1 to {board.most_cores}" if board.most_cores > 1 else "1",
        _PROTECTION[board.protection],
        f"0 to {board.pins - 1}, A0 to A{board.analog_inputs - 1}",
        _pins(board.pwm_pins),
        real,
    )


def _pins(pins: Iterable[int]) -> str:
    """Returns pins as ranges: `2 to 13, 44 to 46`."""
    ranges: list[list[int]] = []
    for pin in sorted(pins):
        if ranges and pin == ranges[-1][-1] + 1:
            ranges[-1].append(pin)
        else:
            ranges.append([pin])
    return ", ".join(
        f"{each[0]} to {each[-1]}" if len(each) > 2 else ", ".join(map(str, each))
        for each in ranges
    )


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *others = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, "|" + "---|" * len(rows[0]), *others]) + "\n"


def page_with(text: str, boards: Sequence[Board]) -> str:
    """Returns the page's text with the table anew."""
    begin, end = "<!-- boards: made by hocket.boards_page -->\n", "<!-- end of boards -->\n"
    table = begin + boards_table(boards) + end
    return re.sub(
        f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: table, text, count=1, flags=re.S
    )


def main() -> None:
    own = [board for board in BOARDS if board.folder.parent == BOARDS_FOLDER]
    PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8"), own), encoding="utf-8")


if __name__ == "__main__":
    main()
