"""Bounds of execution times as text, and as JSON (docs/reference/command-line.md)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hocket.durations import format_microseconds
from hocket.errors import shorten
from hocket.paths import ROOT
from hocket.tables import print_table, print_words
from hocket.wcet.analysis import Bound, Bounds
from hocket.wcet.lines import Line
from hocket.wcet.longest import ENDLESS, JUMP, LOOP, NO_CODE, POINTER, RECURSION, SLEEP, TEXT
from hocket.wcet.point import Unknown

_MOST_LINES = 5  # of the longest way, for each part
# The ways out for a jump that is not in the sketch, and for a loop: its condition may be a call, as of
# digitalRead().
_JUMP_ELSEWHERE = "give the call texts and numbers that the compiler sees, or leave it out"
_LOOP_ELSEWHERE = (
    "where it waits for a pin or another value, give it a limit, or wait with delay() or a semaphore; "
    f"otherwise {_JUMP_ELSEWHERE}"
)
# For each kind of reason: the fact, and the way out.
_REASONS = {
    LOOP: ("nothing bounds this loop", "write atMost(32) as the first statement of its body"),
    RECURSION: ("{more}: a function that calls itself", "write a loop instead"),
    POINTER: ("a call through a pointer to unknown functions", "call the function by its name"),
    JUMP: ("a computed jump", "write the switch as if … else if"),
    SLEEP: ("the processor sleeps here", "wait with delay()"),
    ENDLESS: ("it never returns", "let it come to an end"),
    NO_CODE: ("no code that can be read", "leave this call out"),
    TEXT: (
        "a text of unknown length is printed",
        "print texts in quotes, or one character at a time in a loop with a limit",
    ),
}


def microseconds(cycles: int, frequency: int) -> float:
    return cycles * 1e6 / frequency


def print_bounds(bounds: Bounds, folder: Path, frequency: int, ran: str | None) -> None:
    """Prints the bounds. ran: how long the sketch ran, if it did."""

    def time(cycles: int | None) -> str:
        return "–" if cycles is None else format_microseconds(microseconds(cycles, frequency))

    rows = [
        [
            bound.part.name,
            time(bound.cycles) if not bound.unknown else "unknown",
            time(bound.work) if not bound.unknown else "–",
            str(bound.waits) if not bound.unknown else "–",
            time(bound.seen),
            "–" if bound.ratio is None else f"{bound.ratio:.2f}",
            "–" if bound.calls is None else str(bound.calls),
        ]
        for bound in bounds.parts
    ]
    print_table(["call of", "bound", "work", "waits", "longest seen", "ratio", "calls seen"], rows)
    for bound in bounds.parts:
        for line in _further(bound, bounds, folder):
            print_words(line)
    print_words(f"{bounds.bounded} of {bounds.loops} loops of the code have a bound")
    if ran is not None:
        print_words(f"seen in a simulated run of {ran}; ratio: work to the longest seen")


def _further(bound: Bound, bounds: Bounds, folder: Path) -> Iterator[str]:
    if bound.unknown:
        yield f"{bound.part.name} has no bound:"
        for unknown in bound.unknown:
            yield f"  {told(unknown, bounds.places.get(unknown.at), folder)}"
        return
    whole = sum(bound.by_line.values())
    if whole == 0 or bound.part.loop is None:
        return
    yield f"{bound.part.name}: where its longest way spends its time"
    for line, cycles in bound.by_line.most_common(_MOST_LINES):
        yield f"  {cycles * 100 // whole:3} %  {place(line, folder)}{_source(line)}"


def told(unknown: Unknown, line: Line | None, folder: Path) -> str:
    """Returns why a bound is not known, with the way out."""
    fact, way = _REASONS[unknown.kind]
    if unknown.kind in (LOOP, JUMP) and (
        line is None or not (folder / Path(line[0]).name).exists()
    ):
        way = _LOOP_ELSEWHERE if unknown.kind == LOOP else _JUMP_ELSEWHERE
    where = place(line, folder) if line is not None else f"in {unknown.function}"
    return f"{where}: {fact.format(more=unknown.more)}: {way}"


def place(line: Line | None, folder: Path) -> str:
    if line is None:
        return "not in the sketch"
    file = Path(line[0])
    own = folder / file.name
    return f"{shorten(own if own.exists() else file)}:{line[1]}"


def _source(line: Line | None) -> str:
    if line is None:
        return ""
    file = Path(line[0])
    file = file if file.is_absolute() else ROOT / file
    try:
        text = file.read_text(encoding="utf-8", errors="replace").splitlines()[line[1] - 1]
    except (OSError, IndexError):
        return ""
    return f"  {text.strip()}"


def as_json(
    bounds: Bounds, sketch: str, board: str, folder: Path, frequency: int
) -> dict[str, Any]:
    """Returns the bounds for --json."""
    return {
        "sketch": sketch,
        "board": board,
        "cycles_per_second": frequency,
        "loops_of_the_code": bounds.loops,
        "loops_with_a_bound": bounds.bounded,
        "parts": [_part(bound, bounds, folder, frequency) for bound in bounds.parts],
    }


def _part(bound: Bound, bounds: Bounds, folder: Path, frequency: int) -> dict[str, Any]:
    known = not bound.unknown
    return {
        "name": bound.part.name,
        "loop": bound.part.loop,
        "bound_us": microseconds(bound.cycles, frequency) if bound.cycles is not None else None,
        "bound_cycles": bound.cycles,
        "work_cycles": bound.work if known else None,
        "waits": bound.waits if known else None,
        "charged_cycles": bound.charged if known else None,
        "seen_cycles": bound.seen,
        "seen_calls": bound.calls,
        "ratio": bound.ratio,
        "unknown": [
            {
                "kind": unknown.kind,
                "function": unknown.function,
                "text": told(unknown, bounds.places.get(unknown.at), folder),
            }
            for unknown in bound.unknown
        ],
        "lines": [
            {"place": place(line, folder), "cycles": cycles}
            for line, cycles in bound.by_line.most_common()
        ]
        if known
        else [],
    }
