"""What a run leaves to judge it by, and what is common to all expectations.

Times are whole nanoseconds of the board from its start. What is so for a while is so from an instant on, and
until just before another; the run's last instant belongs to it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NoReturn

# Of a signal, in order: when, and what it is from then on: 0 1 x or z, or a decimal number.
Changes = Sequence[tuple[int, str]]


@dataclass(frozen=True)
class Sent:
    """When a text was sent on a port: how often, and the first times."""

    count: int
    times: tuple[int, ...]


@dataclass(frozen=True)
class Wiring:
    """Who drove what in a run. Pins as sketches have them: `13`, `A0`.

    driven    by the sketch
    undriven  used, and driven by nobody
    idle      parts that nobody drove, and their pins
    """

    driven: tuple[str, ...] = ()
    undriven: tuple[str, ...] = ()
    idle: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @staticmethod
    def of(facts: Mapping[str, Any]) -> Wiring:
        """As the board's program has it."""
        told = facts.get("wiring") or {}
        return Wiring(
            tuple(told.get("driven", ())),
            tuple(told.get("undriven", ())),
            {part: tuple(pins) for part, pins in told.get("idle", {}).items()},
        )

    def check_part(self, part: str) -> None:
        """NothingToSee of a part that nobody drove: whatever it did not do says nothing of the sketch."""
        if part in self.idle:
            self._missing(part, self.idle[part])

    def check_signal(self, signal: str, what: str) -> None:
        """The same of a pin; what: the pin, or the part that is there."""
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
    """end: of the run. signals: by name (`D13`, `A0`, `arm.angle_deg`), those that were asked for and are
    there. texts: by text and port. report: of the run. wiring: who drove what."""

    end: int
    signals: Mapping[str, Changes] = field(default_factory=dict)
    texts: Mapping[tuple[str, int], Sent] = field(default_factory=dict)
    report: Mapping[str, Any] = field(default_factory=dict)
    wiring: Wiring = field(default_factory=Wiring)


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


def _listed(names: Sequence[str]) -> str:
    """`7`, `7, 8 and 9`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


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
