"""Expectations of values in the report: of a part, of one loop or all loops, of a pin's interrupt."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hocket.expect.evidence import Evidence, Expectation, NothingToSee, Verdict, decimal
from hocket.expect.limits import Limit, Measure

# By the unit with which a fact's name ends: the kind, the size in the kind's base, and the shown unit.
UNITS: dict[str, tuple[str, int, str]] = {
    "_us": ("time", 10**3, "us"),
    "_cm": ("length", 10**7, "cm"),
    "_m": ("length", 10**9, "m"),
    "_cm_s": ("speed", 10**7, "cm/s"),
    "_deg": ("angle", 10**6, "deg"),
    "_percent": ("share", 10**4, "%"),
    "_hz": ("frequency", 10**3, "Hz"),
    "_rpm": ("rotation", 10**3, "rpm"),
    "_lx": ("light", 10**3, "lx"),
    "_ppm": ("concentration", 1, "ppm"),
    "_g": ("mass", 10**3, "g"),
}

# Short names of the report's fields of loops and interrupts.
LOOP_NAMES = {
    "misses": "deadline_misses",
    "response": "max_response_us",
    "stack": "stack_used",
    "exhausted": "budget_exhausted",
}
LOOP_FACTS = (
    *("deadline_misses", "max_response_us", "stack_used", "budget_exhausted", "iterations"),
    *("releases", "overruns", "skipped", "cpu_us", "kernel_us", "min_cpu_per_period_us"),
    *("max_cpu_per_period_us", "thread_switches", "preemptions", "sleeps", "wakes"),
)
INTERRUPT_NAMES = {"delay": "max_delay_us"}
INTERRUPT_FACTS = ("edges", "delivered", "pending", "lost", "max_delay_us")

Wanted = Limit | bool | str


def suffix(fact: str) -> str:
    """Returns the unit in a fact's name: `_us` of `max_response_us`. Empty: a fact without a unit."""
    return max((end for end in UNITS if fact.endswith(end)), key=len, default="")


def find(name: str, known: tuple[str, ...], names: dict[str, str]) -> str | None:
    """Returns the fact with this name, with this name plus a unit, or with this short name. None: there is
    none."""
    if name in names:
        return names[name]
    if name in known:
        return name
    return next((fact for fact in known if suffix(fact) and fact == name + suffix(fact)), None)


def measure_of(fact: str, written: str) -> Measure:
    """Returns the measure of a fact. Numbers without a unit are accepted if the name as written has the
    unit."""
    end = suffix(fact)
    if not end:
        return Measure()
    kind, size, _ = UNITS[end]
    return Measure(kind, Fraction(size) if written.endswith(end) else None)


@dataclass(frozen=True, kw_only=True)
class OfReport(Expectation):
    """An expectation of a field of the report. name: as written. fact: the report's field."""

    line: int
    name: str
    fact: str
    limit: Wanted

    @abstractmethod
    def entries(self, run: Evidence) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yields the entries to examine, with their names. Raises NothingToSee."""

    @property
    def broken_for_good(self) -> bool:
        """A value that only grows has passed its limit. One below its limit may still reach it."""
        return isinstance(self.limit, Limit) and self.limit.low in (None, 0)

    @abstractmethod
    def whose(self) -> str: ...

    def wanted(self) -> str:
        return f"{self.name} of {self.whose()} {self._was()} to be {_shown(self.limit)}"

    def judge(self, run: Evidence) -> Verdict:
        seen = [(name, self._value(entry)) for name, entry in self.entries(run)]
        wrong = [(name, value) for name, value in seen if not self._holds(value)]
        if wrong:
            name, value = wrong[0]
            of = f", of {name}" if len(seen) > 1 else ""
            return Verdict(False, f"{self._it()} {self._words(value)}{of}")
        values = sorted({self._words(value) for _, value in seen})
        return Verdict(True, f"{self._it()} {', '.join(values)}")

    def _value(self, entry: dict[str, Any]) -> Any:
        if self.fact not in entry:
            raise NothingToSee(f"the report has no {self.fact} of {self.whose()}")
        return entry[self.fact]

    def _holds(self, value: Any) -> bool:
        if isinstance(self.limit, Limit):
            if value is None:
                raise NothingToSee("there was nothing to measure, or this board cannot")
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise NothingToSee(f"{self._it()} {self._words(value)}, which is not a number")
            return self.limit.holds(Fraction(str(value)) * self._size())
        return bool(value == self.limit) and isinstance(value, bool) == isinstance(self.limit, bool)

    def _size(self) -> int:
        end = suffix(self.fact)
        return UNITS[end][1] if end else 1

    def _words(self, value: Any) -> str:
        if isinstance(value, bool | str) or value is None:
            return "nothing" if value is None else _shown(value)
        end = suffix(self.fact)
        unit = f" {UNITS[end][2]}" if end else ""
        return f"{decimal(Fraction(str(value)))}{unit}"

    def _was(self) -> str:
        return "were" if self.name.endswith("s") and not suffix(self.name) else "was"

    def _it(self) -> str:
        return "they were" if self._was() == "were" else "it was"


def _shown(wanted: Wanted) -> str:
    if isinstance(wanted, Limit):
        return wanted.text
    if isinstance(wanted, bool):
        return str(wanted).lower()
    lines = wanted.replace("\n", "\\n")  # of a display
    return f'"{lines}"'


@dataclass(frozen=True, kw_only=True)
class PartFact(OfReport):
    part: str

    def whose(self) -> str:
        return self.part

    def entries(self, run: Evidence) -> Iterator[tuple[str, dict[str, Any]]]:
        parts = run.report.get("parts") or {}
        if self.part not in parts:
            raise NothingToSee(f"the report has no part {self.part}")
        run.wiring.check_part(self.part)
        yield self.part, parts[self.part]


@dataclass(frozen=True, kw_only=True)
class AllSeen(PartFact):
    """A serial part, or a part at a FIFO, saw all the texts that it expects."""

    @property
    def met_for_good(self) -> bool:
        return True

    def wanted(self) -> str:
        return f"{self.part} was to see every text that it expects"

    def judge(self, run: Evidence) -> Verdict:
        ((_, facts),) = self.entries(run)
        if facts["all_seen"]:
            return Verdict(True, f"it saw {facts['seen']}")
        return Verdict(
            False,
            f'"{facts["missing"]}" did not come (it saw {facts["seen"]} of {facts["expected"]})',
        )


@dataclass(frozen=True, kw_only=True)
class LoopFact(OfReport):
    loop: int | None  # None: every loop

    def whose(self) -> str:
        return "all loops" if self.loop is None else f"loop {self.loop}"

    def entries(self, run: Evidence) -> Iterator[tuple[str, dict[str, Any]]]:
        loops = run.report.get("loops") or []
        found = [each for each in loops if self.loop in (None, each["id"])]
        if not found:
            there = ", ".join(str(each["id"]) for each in loops)
            raise NothingToSee(f"there is no such loop: there are {there or 'none'}")
        for each in found:
            # Without a release, the absence of misses proves nothing.
            if each.get("releases") == 0 and not each.get("deadline_misses"):
                raise NothingToSee(f"loop {each['id']} was never released")
            yield f"loop {each['id']}", each


@dataclass(frozen=True, kw_only=True)
class InterruptFact(OfReport):
    """A field of a pin's interrupt. pin: the report's number. shown: as written."""

    pin: int
    shown: str

    def whose(self) -> str:
        return f"the interrupt of pin {self.shown}"

    def entries(self, run: Evidence) -> Iterator[tuple[str, dict[str, Any]]]:
        rows = run.report.get("interrupts") or []
        found = [each for each in rows if each.get("pin") == self.pin]
        if not found:
            raise NothingToSee(f"no handler was attached to pin {self.shown}")
        for each in found:
            if not each.get("edges") and self.fact != "edges":
                raise NothingToSee(f"no edge came at pin {self.shown}")
            yield self.whose(), each
