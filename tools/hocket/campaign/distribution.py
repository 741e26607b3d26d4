"""The distribution of many numbers: extremes, median, and a histogram."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BINS = 10
_HEIGHTS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Distribution:
    """The distribution of `count` numbers. Percentiles are values that occurred (nearest rank). bins: the
    numbers in each of equal intervals from the least to the most. A number on a border belongs to the upper
    interval."""

    count: int
    least: float
    median: float
    most_of: float  # 95 of 100 are not above it
    most: float
    bins: tuple[int, ...]

    def picture(self) -> str:
        """Returns one character for each bin. A bin with any number never looks empty."""
        if self.least == self.most:
            return ""
        top = max(self.bins)
        return "".join(
            " " if n == 0 else _HEIGHTS[(n * len(_HEIGHTS) - 1) // top] for n in self.bins
        )


def distribution(numbers: Iterable[float]) -> Distribution:
    """Returns the distribution of at least one number."""
    ordered = sorted(numbers)
    least, most = ordered[0], ordered[-1]
    bins = [0] * BINS
    for number in ordered:
        place = 0 if most == least else int((number - least) / (most - least) * BINS)
        bins[min(max(place, 0), BINS - 1)] += 1
    return Distribution(
        len(ordered), least, _rank(ordered, 50), _rank(ordered, 95), most, tuple(bins)
    )


def _rank(ordered: Sequence[float], percent: int) -> float:
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]
