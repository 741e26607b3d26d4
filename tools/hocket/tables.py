"""Tables and lines of words on standard output: aligned columns, and no line wider than a terminal."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence

_GAP = 2  # between two columns
_USUAL = 80  # columns of a terminal that does not say how many it has


def print_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: int = 1,
    drop: Sequence[str] = (),
) -> None:
    """Prints rows under their columns. The first `left` columns are texts, the others numbers.

    drop: columns that a terminal does without where all of them have no room, the least missed one
    first. Digits are never cut: a line that is too long even then is broken by the terminal.
    """
    if sys.stdout.isatty():
        kept = fitting(columns, rows, drop, terminal_width())
        left = sum(i < left for i in kept)
        away = [name for i, name in enumerate(columns) if i not in kept]
        columns = [columns[i] for i in kept]
        rows = [[row[i] for i in kept] for row in rows]
        print(plain_table(columns, rows, left))
        if away:
            print(f"(a wider terminal shows {', '.join(away)} as well)")
        return
    print(plain_table(columns, rows, left))


def print_words(text: str) -> None:
    """Prints a line of words: at a terminal in as many as it needs, broken between words and indented."""
    if not sys.stdout.isatty():
        print(text)
        return
    width = max(terminal_width(), 20)
    print(*_broken(text, width), sep="\n")


def _broken(text: str, width: int) -> list[str]:
    return textwrap.wrap(
        text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def terminal_width() -> int:
    """Of standard output; COLUMNS where it is a number that can be one."""
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
    """Which columns stay so that the table is no wider than `width`, as far as `drop` allows."""
    wide = [max(len(line[i]) for line in (columns, *rows)) for i in range(len(columns))]
    kept = list(range(len(columns)))
    for name in drop:
        if sum(wide[i] for i in kept) + _GAP * (len(kept) - 1) <= width:
            break
        kept.remove(columns.index(name))
    return kept


def plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """The table as text: two spaces between columns, a line of dashes under the heads."""
    lines = [list(columns), *[list(row) for row in rows]]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    lines.insert(1, ["-" * width for width in widths])
    shown = [
        (" " * _GAP)
        .join(
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        .rstrip()
        for line in lines
    ]
    return "\n".join(shown)
