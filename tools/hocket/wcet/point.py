"""The longest way to a place of a program: its cycles, what is known there, and its steps.

A way is a list that is linked backwards, so that ways share their beginnings. A step is a block with the call
at its end, or the repetition of a piece of the way.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from hocket.wcet.avr8.state import State


class Step(NamedTuple):
    """at: the first instruction of a block, or the call at its end. cycles: the block's own. call: the result
    of the call. repeats: how often the way from `since` to `before` is taken again."""

    before: Step | None
    at: int = -1
    cycles: int = 0
    call: Result | None = None
    repeats: int = 0
    since: Step | None = None


@dataclass
class Point:
    """cycles: the most until here. charged: those of them that are no work, on the longest way: waits, and
    what is paid for others. waits: the most waits until here."""

    state: State
    cycles: int = 0
    charged: int = 0
    waits: int = 0
    way: Step | None = None

    def join(self, other: Point) -> Point:
        longest = self if self.cycles >= other.cycles else other
        state = self.state.join(other.state)
        waits = max(self.waits, other.waits)
        return Point(state, longest.cycles, longest.charged, waits, longest.way)

    def after(self, state: State, at: int, cycles: int, call: Result | None = None) -> Point:
        """Returns the point behind a block, with the call at its end."""
        total, charged, waits = self.cycles + cycles, self.charged, self.waits
        if call is not None:
            total, charged = total + call.cycles, charged + call.charged
            waits += call.waits
        return Point(state, total, charged, waits, Step(self.way, at, cycles, call))


@dataclass(frozen=True)
class Unknown:
    """What keeps a bound from being known. at: the instruction. function: its function's name. kind: the
    reason, a constant of longest.py. more: names for the message."""

    at: int
    function: str
    kind: str
    more: str = ""


@dataclass
class Result:
    """The bound of one call of a function. cycles, charged, waits: as of a point, from its first instruction
    to its return, with it. state: what is known then; None: what the convention says. returns: whether it
    comes back."""

    name: str
    cycles: int
    charged: int = 0
    waits: int = 0
    state: State | None = None
    way: Step | None = None
    unknown: frozenset[Unknown] = frozenset()
    returns: bool = True

    @cached_property
    def steps(self) -> tuple[Counter[int], list[tuple[int, Result, int]]]:
        """The cycles of each block on the longest way, and the calls: the
        address, the result, and how often."""
        own: Counter[int] = Counter()
        calls: dict[tuple[int, int], tuple[Result, int]] = {}
        _add(self.way, None, 1, own, calls)
        return own, [(at, call, times) for (at, _), (call, times) in calls.items()]


def _add(
    way: Step | None,
    until: Step | None,
    times: int,
    own: Counter[int],
    calls: dict[tuple[int, int], tuple[Result, int]],
) -> None:
    """Adds the steps of a way, backwards until a step."""
    while way is not None and way is not until:
        if way.repeats:
            _add(way.before, way.since, times * way.repeats, own, calls)
        elif way.at >= 0:
            own[way.at] += way.cycles * times
            if way.call is not None:
                _, before = calls.get((way.at, id(way.call)), (way.call, 0))
                calls[way.at, id(way.call)] = way.call, before + times
        way = way.before
