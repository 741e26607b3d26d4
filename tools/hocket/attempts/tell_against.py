"""Reports the comparison with the stock core: a table, the differences, sums, and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hocket.attempts.against import Compared, Side
from hocket.tables import plain_table

_HEAD = ["sketch", "as stock", "flash", "stock", "RAM", "stock", "cycles", "stock"]


def lines_of(rows: Sequence[Compared], version: str) -> Iterator[str]:
    yield plain_table(_HEAD, [_cells(row) for row in rows], left=2)
    reasons = [line for row in rows for line in _reasons(row)]
    if reasons:
        yield ""
        yield from reasons
    yield ""
    compared = [row for row in rows if not row.failed]
    same = sum(row.same for row in compared)
    yield f"{same} of {len(rows)} run as with the stock core ({version})"
    for what in ("flash", "ram"):
        ours, stock = (
            sum(getattr(side, what) for row in compared if (side := _side(row, whose)) is not None)
            for whose in ("ours", "stock")
        )
        if stock:
            name, off = "RAM" if what == "ram" else what, 100 * (ours / stock - 1)
            yield f"{name}: {ours} bytes for {stock} ({off:+.1f} %)"


def _side(row: Compared, whose: str) -> Side | None:
    side: Side | None = getattr(row, whose)
    return side


def _cells(row: Compared) -> list[str]:
    verdict = "not run" if row.failed else "yes" if row.same else "no"
    cells = [row.sketch.name, verdict]
    for what in ("flash", "ram", "cycles"):
        for side in (row.ours, row.stock):
            value = None if side is None else getattr(side, what)
            cells.append("\u2013" if value is None else str(value))
    return cells


def _reasons(row: Compared) -> Iterator[str]:
    if row.failed:
        yield f"{row.sketch.name}: {row.failed}"
    if row.text is not None and (not row.text.same or row.text.what.startswith("numbers")):
        yield f"{row.sketch.name}: text: {row.text.what}"
    if row.pins is not None and not row.pins.same:
        yield f"{row.sketch.name}: pins: {row.pins.what}"


def as_json(rows: Sequence[Compared], version: str) -> dict[str, Any]:
    """Returns the fields that docs/reference/command-line.md describes."""
    return {
        "stock_core": version,
        "sketches": [
            {
                "name": row.sketch.name,
                "path": str(row.sketch.path),
                "same": row.same,
                "failed": row.failed or None,
                "text": row.text.what if row.text else None,
                "pins": row.pins.what if row.pins else None,
                "hocket": vars(row.ours) if row.ours else None,
                "stock": vars(row.stock) if row.stock else None,
            }
            for row in rows
        ],
        "same": sum(row.same for row in rows),
        "tried": len(rows),
    }
