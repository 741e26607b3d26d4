"""Tables and lines of text on standard output: aligned columns, and no line wider than the terminal."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence

MARK = " !"  # ends a cell that reports a fault; red on a terminal
_RED, _PLAIN = "\033[31;1m", "\033[0m"
_GAP = 2  # between two columns
_USUAL = 80  # columns of a terminal with unknown width


def print_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: int = 1,
    drop: Sequence[str] = (),
) -> None:
    """Prints rows under their columns. The first `left` columns are texts, the others numbers.

    drop: columns to leave out on a terminal that is too narrow, in this order. Digits are never cut: the
    terminal breaks a line that is still too long.
    """
    if sys.stdout.isatty():
        kept = fitting(columns, rows, drop, terminal_width())
        left = sum(i < left for i in kept)
        away = [name for i, name in enumerate(columns) if i not in kept]
        columns = [columns[i] for i in kept]
        rows = [[row[i] for i in kept] for row in rows]
        print(plain_table(columns, rows, left, in_colour()))
        if away:
            print(f"(a wider terminal shows {', '.join(away)} as well)")
        return
    print(plain_table(columns, rows, left))


def print_words(text: str, red: bool = False) -> None:
    """Prints a line of text. On a terminal it is broken between words and indented."""
    if not sys.stdout.isatty():
        print(text)
        return
    for line in _broken(text, max(terminal_width(), 20)):
        print(f"{_RED}{line}{_PLAIN}" if red and in_colour() else line)


def _broken(text: str, width: int) -> list[str]:
    return textwrap.wrap(
        text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def terminal_width() -> int:
    """Returns the width of standard output, or COLUMNS if it is a valid number."""
    said = os.environ.get("COLUMNS", "")
    if said.isdigit() and int(said) > 0:
        return int(said)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or _USUAL
    except (OSError, ValueError):
        return shutil.get_terminal_size((_USUAL, 24)).columns or _USUAL


def fitting(
    columns: Sequence[str], rows: Sequence[Sequence[str]], drop: Sequence[str], width: int
) -> list[int]:
    """Returns the columns to keep so that the table is no wider than `width`, as far as `drop` allows."""
    wide = [max(len(line[i]) for line in (columns, *rows)) for i in range(len(columns))]
    kept = list(range(len(columns)))
    for name in drop:
        if sum(wide[i] for i in kept) + _GAP * (len(kept) - 1) <= width:
            break
        kept.remove(columns.index(name))
    return kept


def in_colour() -> bool:
    """Returns whether standard output shows colours (no-color.org)."""
    plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain


def plain_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1, colour: bool = False
) -> str:
    """Returns the table as text: two spaces between columns, a line of dashes under the heads."""
    lines = [list(columns), *[list(row) for row in rows]]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    lines.insert(1, ["-" * width for width in widths])
    shown = [
        (" " * _GAP)
        .join(
            _padded(cell, width, i < left, colour)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        .rstrip()
        for line in lines
    ]
    return "\n".join(shown)


def _padded(cell: str, width: int, left: bool, colour: bool) -> str:
    text = cell.ljust(width) if left else cell.rjust(width)
    return f"{_RED}{text}{_PLAIN}" if colour and cell.endswith(MARK) else text
