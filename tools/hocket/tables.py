"""Tables on standard output: with rich on a terminal, plain aligned columns elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> None:
    """Prints rows under their columns. The first `left` columns are texts, the others numbers."""
    if sys.stdout.isatty():
        _print_rich(columns, rows, left)
    else:
        print(plain_table(columns, rows, left))


def plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """The table as text: two spaces between columns, a line of dashes under the heads."""
    lines = [list(columns), *[list(row) for row in rows]]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    lines.insert(1, ["-" * width for width in widths])
    shown = [
        "  ".join(
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    return "\n".join(shown)


def _print_rich(columns: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, justify="left" if index < left else "right")
    for row in rows:
        table.add_row(*[Text(cell) for cell in row])
    Console().print(table)
