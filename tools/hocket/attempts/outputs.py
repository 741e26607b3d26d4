"""Compares two runs of a sketch: the text of Serial, and the edges of its pins.

The tolerance, which docs/reference/command-line.md states: text    the same bytes, as far as both runs have
sent; at the end one of them may be TEXT_AHEAD bytes, or a tenth of
        its text, ahead, but if one has no text neither may have any. Otherwise numbers in it may differ by a
        hundredth
pins    the same levels in the same order; each edge at the same time, to EDGE_US and a hundredth of the time
        since the start; one of the two may have two edges, or two hundredths of all, more
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from hocket.trace.wavefile import read_signals

TEXT_AHEAD = 80
EDGE_US = 250.0
PART = 0.01
_PINS = {
    *(f"D{number}" for number in range(20)),
    *(f"A{number}" for number in range(8)),
}  # pins of an Uno

Edges = Sequence[tuple[int, int]]  # nanosecond, level


@dataclass(frozen=True)
class Found:
    """same: within the tolerance. what: the observation in a few words."""

    same: bool
    what: str


def compare_text(ours: bytes, theirs: bytes) -> Found:
    if not ours and not theirs:
        return Found(True, "none")
    common = min(len(ours), len(theirs))
    longer = max(len(ours), len(theirs))
    if common == 0 or longer - common > max(TEXT_AHEAD, longer / 10):
        return Found(False, f"{len(ours)} bytes for {len(theirs)}")
    if ours[:common] == theirs[:common]:
        return Found(True, "same")
    return _compare_numbers(ours[:common].decode("latin-1"), theirs[:common].decode("latin-1"))


def _compare_numbers(ours: str, theirs: str) -> Found:
    number = re.compile(r"(-?\d+(?:\.\d+)?)")
    here, there = number.split(ours), number.split(theirs)
    at = 0
    most = 0.0
    last = min(len(here), len(there)) - 1
    for index in range(last + 1):
        mine, other = here[index], there[index]
        numbers = index % 2 == 1
        if index == last:  # may be cut
            cut = min(len(mine), len(other))
            mine, other = ("", "") if numbers else (mine[:cut], other[:cut])
        if mine != other:
            off = abs(float(mine) - float(other)) if numbers else 0.0
            if not numbers or off > PART * abs(float(other)):
                return Found(False, _from(ours, theirs, at + _same_start(mine, other)))
            most = max(most, off)
        at += len(other)
    return Found(True, f"numbers to {most:g}")


def _same_start(mine: str, other: str) -> int:
    pairs = zip(mine, other, strict=False)
    return next(
        (at for at, (one, two) in enumerate(pairs) if one != two), min(len(mine), len(other))
    )


def _from(ours: str, theirs: str, at: int) -> str:
    line = theirs.count("\n", 0, at)
    mine, other = (text.split("\n") for text in (ours, theirs))
    seen = mine[line].strip() if line < len(mine) else ""
    return f"line {line + 1}: {seen[:40]!r} for {other[line].strip()[:40]!r}"


def compare_pins(ours: Mapping[str, Edges], theirs: Mapping[str, Edges]) -> Found:
    """Compares edges by the names of pins."""
    if not any(ours.values()) and not any(theirs.values()):
        return Found(True, "none")
    worst, count = 0.0, 0
    for pin in sorted({*ours, *theirs}):
        mine, other = ours.get(pin, ()), theirs.get(pin, ())
        common = min(len(mine), len(other))
        more = max(len(mine), len(other)) - common
        if more > max(2.0, 2 * PART * common):
            return Found(False, f"{pin}: {len(mine)} edges for {len(other)}")
        for (at, level), (expected, right) in zip(mine, other, strict=False):
            off = abs(at - expected) / 1000
            if level != right:
                return Found(False, f"{pin}: level {level} for {right} at {expected / 1e6:.3f} ms")
            if off > EDGE_US + PART * expected / 1000:
                return Found(
                    False, f"{pin}: an edge at {at / 1e6:.3f} ms for {expected / 1e6:.3f} ms"
                )
            worst = max(worst, off)
        count += common
    return Found(True, f"{count} edges to {worst:.0f} us")


def edges_of(waves: Path) -> dict[str, Edges]:
    """Returns the edges of pins in a run's wave file, by their names. The first level of a pin is not an
    edge."""
    found: dict[str, Edges] = {}
    for name, changes in read_signals(waves, _PINS).items():
        levels = [(at, int(value)) for at, value in changes if value in "01"]
        edges = [after for before, after in pairwise(levels) if after[1] != before[1]]
        if edges:
            found[name] = edges
    return found


def last_common(ours: Sequence[int], theirs: Sequence[int]) -> tuple[int, int] | None:
    """Returns the instants of the last event that both lists have, or None if there is none."""
    common = min(len(ours), len(theirs))
    return (ours[common - 1], theirs[common - 1]) if common else None
