"""Sets of instants: ordered spans [begin, end) with gaps between them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(frozen=True)
class Spans:
    spans: tuple[Span, ...] = ()

    @staticmethod
    def of(spans: Iterable[Span]) -> Spans:
        """Makes the set from ordered spans, which may be empty or touch each other."""
        joined: list[Span] = []
        for begin, end in spans:
            if begin >= end:
                continue
            if joined and joined[-1][1] >= begin:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((begin, end))
        return Spans(tuple(joined))

    def __iter__(self) -> Iterator[Span]:
        return iter(self.spans)

    def __bool__(self) -> bool:
        return bool(self.spans)

    def __and__(self, other: Spans) -> Spans:
        both: list[Span] = []
        mine, others = list(self.spans), list(other.spans)
        while mine and others:
            begin, end = max(mine[-1][0], others[-1][0]), min(mine[-1][1], others[-1][1])
            if begin < end:
                both.append((begin, end))
            (mine if mine[-1][0] >= others[-1][0] else others).pop()
        return Spans(tuple(reversed(both)))

    def within(self, begin: int, end: int) -> Spans:
        if begin >= end:
            return Spans()
        first = bisect_right(self.spans, begin, key=_end)
        behind = bisect_left(self.spans, end, first, key=_begin)
        return Spans(
            tuple((max(begin, b), min(end, e)) for b, e in self.spans[first:behind]),
        )

    def first_within(self, begin: int, end: int) -> int | None:
        """Returns the first instant of the set in [begin, end), or None. A binary search, because there may
        be as many queries as spans."""
        place = bisect_right(self.spans, begin, key=_end)
        if place == len(self.spans):
            return None
        first = max(begin, self.spans[place][0])
        return first if first < end else None

    def __contains__(self, instant: int) -> bool:
        return self.first_within(instant, instant + 1) is not None

    def without(self, other: Spans) -> Spans:
        left: list[Span] = []
        for begin, end in self.spans:
            at = begin
            for cut_begin, cut_end in other.within(begin, end):
                left.append((at, cut_begin))
                at = cut_end
            left.append((at, end))
        return Spans.of(left)

    def first(self) -> int | None:
        return self.spans[0][0] if self.spans else None


def _begin(span: Span) -> int:
    return span[0]


def _end(span: Span) -> int:
    return span[1]
