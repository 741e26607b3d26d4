"""Expectations of a pin's edges: their number, their frequency, and the share of time at high level."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from hocket.expect.conditions import changes_of
from hocket.expect.evidence import Changes, Evidence, Expectation, NothingToSee, Verdict, decimal
from hocket.expect.limits import Limit
from hocket.expect.over_time import Window

Edge = tuple[int, bool]  # time, and whether it is a rising edge


def edges_of(changes: Changes) -> list[Edge]:
    """Returns the edges between high and all other levels, as an input reads them."""
    high = changes[0][1] == "1"
    found: list[Edge] = []
    for when, value in changes[1:]:
        if (value == "1") != high:
            high = not high
            found.append((when, high))
    return found


@dataclass(frozen=True, kw_only=True)
class _OfEdges(Expectation):
    line: int
    what: str
    signal: str
    window: Window
    limit: Limit

    @property
    def latest(self) -> int | None:
        return self.window.latest()

    def signals(self) -> Iterable[str]:
        return (self.signal,)

    def edges(self, run: Evidence) -> list[Edge]:
        begin, end = self.window.bounds(run)
        all_edges = edges_of(changes_of(run, self.signal, self.what))
        return [edge for edge in all_edges if begin <= edge[0] < end]

    def whole_periods(self, run: Evidence) -> list[Edge]:
        """Returns the edges from the first rising edge to the last."""
        edges = self.edges(run)
        rising = [index for index, (_, rises) in enumerate(edges) if rises]
        if len(rising) < 2:
            none = "no rising edge" if not rising else "one rising edge only"
            raise NothingToSee(f"it had {none}{self.window.words()}")
        return edges[rising[0] : rising[-1] + 1]


@dataclass(frozen=True, kw_only=True)
class EdgeCount(_OfEdges):
    kind: str = "both"

    def wanted(self) -> str:
        kind = "" if self.kind == "both" else f"{self.kind} "
        return f"{self.what} was to have {self.limit.text} {kind}edges{self.window.words()}"

    def judge(self, run: Evidence) -> Verdict:
        edges = self.edges(run)
        if self.kind != "both":
            edges = [edge for edge in edges if edge[1] == (self.kind == "rising")]
        return Verdict(self.limit.holds(len(edges)), f"it had {len(edges)}")


@dataclass(frozen=True, kw_only=True)
class Frequency(_OfEdges):
    def wanted(self) -> str:
        return f"{self.what} was to have a frequency of {self.limit.text}{self.window.words()}"

    def judge(self, run: Evidence) -> Verdict:
        edges = self.whole_periods(run)
        periods = len(edges) // 2
        millihertz = Fraction(periods * 10**12, edges[-1][0] - edges[0][0])
        return Verdict(self.limit.holds(millihertz), f"it had {decimal(millihertz / 1000, 3)} Hz")


@dataclass(frozen=True, kw_only=True)
class Duty(_OfEdges):
    def wanted(self) -> str:
        return f"{self.what} was to have a duty of {self.limit.text}{self.window.words()}"

    def judge(self, run: Evidence) -> Verdict:
        edges = self.whole_periods(run)
        high = sum(edges[i + 1][0] - edges[i][0] for i in range(0, len(edges) - 1, 2))
        share = Fraction(high, edges[-1][0] - edges[0][0])
        return Verdict(self.limit.holds(share * 10**6), f"it had {decimal(share * 100, 3)} %")
