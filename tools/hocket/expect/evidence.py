"""The results of a run by which it is judged, and the base class of all expectations.

Times are whole nanoseconds of the board from its start. A period includes its first instant and excludes its
last. The run includes its last instant.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NoReturn

# Of a signal, in order: the time, and the value from then on: 0 1 x or z, or a decimal number.
Changes = Sequence[tuple[int, str]]


@dataclass(frozen=True)
class Sent:
    """How often a text was sent on a port, and the first times."""

    count: int
    times: tuple[int, ...]


@dataclass(frozen=True)
class Wiring:
    """What drove the pins and parts of a run. Pins have the names that sketches use: `13`, `A0`.

    driven    pins that the sketch drove
    undriven  pins that were used but not driven
    idle      parts that were not driven, and their pins
    """

    driven: tuple[str, ...] = ()
    undriven: tuple[str, ...] = ()
    idle: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @staticmethod
    def of(facts: Mapping[str, Any]) -> Wiring:
        """Reads the wiring from the facts of the board's program."""
        told = facts.get("wiring") or {}
        return Wiring(
            tuple(told.get("driven", ())),
            tuple(told.get("undriven", ())),
            {part: tuple(pins) for part, pins in told.get("idle", {}).items()},
        )

    def check_part(self, part: str) -> None:
        """Raises NothingToSee for a part that was not driven: its state says nothing about the sketch."""
        if part in self.idle:
            self._missing(part, self.idle[part])

    def check_signal(self, signal: str, what: str) -> None:
        """Raises NothingToSee for a pin that was not driven. what: the pin, or the part at it."""
        pin = signal.removeprefix("D")
        if pin in self.undriven:
            self._missing(what, (pin,))

    def _missing(self, what: str, pins: tuple[str, ...]) -> NoReturn:
        drove = f"it drove {_listed(self.driven)}" if self.driven else "it drove no pin"
        if what.startswith("pin "):
            raise NothingToSee(f"the sketch never drove {what} ({drove})")
        where, them = ("pin", "it") if len(pins) == 1 else ("pins", "them")
        raise NothingToSee(
            f"{what} is on {where} {_listed(pins)}, and the sketch never drove {them} ({drove})"
        )


@dataclass(frozen=True)
class Evidence:
    """The results of a run. end: its last instant. signals: the requested signals that exist, by name (`D13`,
    `A0`, `arm.angle_deg`). texts: by text and port. report: of the run. wiring: what drove the pins and
    parts."""

    end: int
    signals: Mapping[str, Changes] = field(default_factory=dict)
    texts: Mapping[tuple[str, int], Sent] = field(default_factory=dict)
    report: Mapping[str, Any] = field(default_factory=dict)
    wiring: Wiring = field(default_factory=Wiring)


@dataclass(frozen=True)
class Verdict:
    """Whether an expectation was met. seen: part of a sentence about `it`."""

    met: bool
    seen: str


class NothingToSee(Exception):
    """An expectation had nothing to examine, and so is not met. The text is part of a sentence with the
    reason."""


class Expectation(ABC):
    """One thing that a run must show.

    line    in the scenario's file
    latest  the last instant that it names: a shorter run cannot be judged
    met_for_good     if it is met, it would be met in a longer run, too
    broken_for_good  if it is not met, it would not be met in a longer run either
    """

    line: int

    @property
    def latest(self) -> int | None:
        return None

    @property
    def met_for_good(self) -> bool:
        return False

    @property
    def broken_for_good(self) -> bool:
        return False

    @abstractmethod
    def wanted(self) -> str:
        """Returns the expectation in words: `pin 13 was to be high by 1.02 s`."""

    @abstractmethod
    def judge(self, run: Evidence) -> Verdict:
        """Judges the run. Raises NothingToSee."""

    def signals(self) -> Iterable[str]:
        """Returns the signals that it examines."""
        return ()

    def texts(self) -> Iterable[str]:
        """Returns the texts whose times it needs."""
        return ()

    def verdict(self, run: Evidence) -> Verdict:
        try:
            return self.judge(run)
        except NothingToSee as nothing:
            return Verdict(False, str(nothing))


def _listed(names: Sequence[str]) -> str:
    """Returns a list in words: `7`, `7, 8 and 9`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


_UNITS = ((10**9, "s"), (10**6, "ms"), (10**3, "us"), (1, "ns"))


def decimal(value: Fraction, digits: int = 9) -> str:
    """Returns the value in decimal notation with at most this number of decimals, without trailing zeros."""
    text = f"{float(value):.{digits}f}" if value.denominator > 1 else str(value.numerator)
    return text.rstrip("0").rstrip(".") if "." in text else text


def instant(ns: int) -> str:
    """Returns a time exactly, with its unit: `1.02 s`, `350 us`, `0 s`."""
    if ns == 0:
        return "0 s"
    size, unit = next((size, unit) for size, unit in _UNITS if abs(ns) >= size)
    whole, rest = divmod(ns, size)
    digits = str(rest).rjust(len(str(size)) - 1, "0").rstrip("0") if rest else ""
    return f"{whole}.{digits} {unit}" if digits else f"{whole} {unit}"
