"""Reports which sketches build on which boards: a table, the reasons, counts, and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hocket.attempts.find import Found
from hocket.attempts.perform import Outcome
from hocket.tables import plain_table

_BUILDS, _FAILS = "builds", "fails"


def in_order(
    sketches: Sequence[Found], boards: Sequence[str], outcomes: Sequence[Outcome]
) -> list[list[Outcome]]:
    """Returns a row of outcomes for each sketch, with a column for each board."""
    of = {(each.attempt.sketch, each.attempt.board): each for each in outcomes}
    return [[of[sketch, board] for board in boards] for sketch in sketches]


def lines_of(rows: Sequence[Sequence[Outcome]]) -> Iterator[str]:
    """Yields the table, the reasons, and the counts."""
    boards = [each.attempt.board for each in rows[0]]
    cells = [
        [row[0].attempt.sketch.name, *(_BUILDS if each.builds else _FAILS for each in row)]
        for row in rows
    ]
    yield plain_table(["sketch", *boards], cells, left=1 + len(boards))
    reasons = list(_reasons(rows))
    if reasons:
        yield ""
        yield from reasons
    yield ""
    yield from _counts(rows, boards)


def _reasons(rows: Sequence[Sequence[Outcome]]) -> Iterator[str]:
    """Yields, for each sketch that fails, the boards and the reason. Boards with the same reason are listed
    together."""
    for row in rows:
        by_reason: dict[str, list[str]] = {}
        for each in row:
            if not each.builds:
                by_reason.setdefault(each.reason, []).append(each.attempt.board)
        if by_reason:
            yield f"{row[0].attempt.sketch.name}:"
        for reason, boards in by_reason.items():
            yield f"  {', '.join(boards)}: {reason}"


def _counts(rows: Sequence[Sequence[Outcome]], boards: Sequence[str]) -> Iterator[str]:
    for at, board in enumerate(boards):
        good = sum(row[at].builds for row in rows)
        yield f"{board}: {good} of {len(rows)} {'build' if len(rows) > 1 else 'builds'}"


def as_json(rows: Sequence[Sequence[Outcome]]) -> dict[str, Any]:
    """Returns the fields that docs/reference/command-line.md describes."""
    boards = [each.attempt.board for each in rows[0]]
    return {
        "sketches": [
            {
                "name": row[0].attempt.sketch.name,
                "path": str(row[0].attempt.sketch.path),
                "boards": {each.attempt.board: _facts(each) for each in row},
            }
            for row in rows
        ],
        "builds": {board: sum(row[at].builds for row in rows) for at, board in enumerate(boards)},
        "tried": len(rows),
    }


def _facts(outcome: Outcome) -> dict[str, Any]:
    return {
        "builds": outcome.builds,
        "reason": outcome.reason or None,
        "said": outcome.said,
        "seconds": round(outcome.seconds, 3),
    }
