"""What a run leaves to judge it by, and what is common to all expectations.

Times are whole nanoseconds of the board from its start. What is so for a while is so from an instant on, and
until just before another; the run's last instant belongs to it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Changes = Sequence[tuple[int, str]]  # of a signal, in order: when, and 0 1 x or z from then on


@dataclass(frozen=True)
class Sent:
    """When a text was sent on a port: how often, and the first times."""

    count: int
    times: tuple[int, ...]


@dataclass(frozen=True)
class Evidence:
    """end: of the run. signals: by name (`D13`, `A0`), those that were asked for and are there. texts: by
    text and port. report: of the run."""

    end: int
    signals: Mapping[str, Changes] = field(default_factory=dict)
    texts: Mapping[tuple[str, int], Sent] = field(default_factory=dict)
    report: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """seen: half a sentence about `it`."""

    met: bool
    seen: str


class NothingToSee(Exception):
    """An expectation had nothing to look at, and so is not met: half a sentence why."""


class Expectation(ABC):
    """One thing that a run must show.

    line    in the scenario's file
    latest  the last instant that it names: a shorter run cannot be judged
    """

    line: int

    @property
    def latest(self) -> int | None:
        return None

    @abstractmethod
    def wanted(self) -> str:
        """`pin 13 was to be high by 1.02 s`."""

    @abstractmethod
    def judge(self, run: Evidence) -> Verdict:
        """Raises NothingToSee."""

    def signals(self) -> Iterable[str]:
        """The signals that it looks at."""
        return ()

    def texts(self) -> Iterable[str]:
        """The texts whose times it asks for."""
        return ()

    def verdict(self, run: Evidence) -> Verdict:
        try:
            return self.judge(run)
        except NothingToSee as nothing:
            return Verdict(False, str(nothing))


_UNITS = ((10**9, "s"), (10**6, "ms"), (10**3, "us"), (1, "ns"))


def decimal(value: Fraction, digits: int = 9) -> str:
    """In decimal notation, at most so many digits after the point, no zeros at its end."""
    text = f"{float(value):.{digits}f}" if value.denominator > 1 else str(value.numerator)
    return text.rstrip("0").rstrip(".") if "." in text else text


def instant(ns: int) -> str:
    """`1.02 s`, `350 us`, `0 s`: exactly."""
    if ns == 0:
        return "0 s"
    size, unit = next((size, unit) for size, unit in _UNITS if abs(ns) >= size)
    whole, rest = divmod(ns, size)
    digits = str(rest).rjust(len(str(size)) - 1, "0").rstrip("0") if rest else ""
    return f"{whole}.{digits} {unit}" if digits else f"{whole} {unit}"
