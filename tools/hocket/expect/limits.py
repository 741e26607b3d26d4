"""Limits of a number as written in scenarios: `10`, `50 Hz ± 1 %`, `below 5 ms`, `1 s to 2 s`. They are
exact.

A tolerance has the value's own unit or is a percentage of it: `50 Hz ± 1 %` is 49.5 Hz to 50.5 Hz. If the
value is itself a percentage, the tolerance is in percentage points: `7.5 % ± 0.5 %` is 7 % to 8 %.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from hocket.scenario import units

_WORDS = {
    "below": "below",
    "under": "below",
    "<": "below",
    "above": "above",
    "over": "above",
    ">": "above",
    "at most": "at most",
    "<=": "at most",
    "≤": "at most",
    "at least": "at least",
    ">=": "at least",
    "≥": "at least",
}
_COMPARED = re.compile(r"(at +most|at +least|below|under|above|over|<=|>=|≤|≥|<|>) *(.+)")
_TOLERANCE = re.compile(r"(.+?) *(?:±|\+/-|\+-) *(.+)")
_RANGE = re.compile(r"(.+?) *(?:\bto\b|\.\.) *(.+)")
_NUMBER = re.compile(r"[+-]?[0-9]{1,20}(?:\.[0-9]{1,20})?")


@dataclass(frozen=True)
class Limit:
    """The numbers from `low` to `high`, in the base unit. None: no bound. open: the bounds themselves are
    excluded."""

    text: str  # as written, normalised
    low: Fraction | None = None
    high: Fraction | None = None
    open: bool = False

    def holds(self, value: Fraction | int) -> bool:
        return self.side(value) == 0

    def side(self, value: Fraction | int) -> int:
        """Returns -1 below the limit, 0 within, 1 above."""
        if self.low is not None and (value < self.low or (value == self.low and self.open)):
            return -1
        above = self.high is not None and (value > self.high or (value == self.high and self.open))
        return 1 if above else 0


@dataclass(frozen=True)
class Measure:
    """The meaning of numbers in a limit. kind: of units.UNITS. None: numbers without a unit. bare: the value
    of a number without a unit. None: a unit is required. counts: whole numbers of at least 0."""

    kind: str | None = None
    bare: Fraction | None = None
    counts: bool = False

    def read(self, text: str) -> Fraction:
        """Returns the number in its base unit. Raises UnitError."""
        if self.counts and re.fullmatch(r"-[0-9.]+|[0-9]+\.[0-9]+", text):
            raise units.UnitError(
                f"{units.short(text)} is not a count", "write a whole number from 0 on"
            )
        if _NUMBER.fullmatch(text) and (self.kind is None or self.bare is not None):
            return Fraction(text) * (self.bare or 1)
        if self.kind is None:
            raise units.UnitError(
                f"{units.short(text)} is not a number", "write a number without a unit"
            )
        return units.exact(text, self.kind)


COUNT = Measure(counts=True)


def read_limit(value: object, measure: Measure = COUNT) -> Limit:
    """Parses a limit. Raises UnitError with what is wrong and what to write."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise units.UnitError("a number is needed here", f"write {_example(measure)}")
    text = " ".join(str(value).replace("μ", "µ").split())
    if matched := _COMPARED.fullmatch(text):
        return _compared(_WORDS[" ".join(matched[1].split())], matched[2], measure)
    if matched := _TOLERANCE.fullmatch(text):
        return _tolerated(matched[1], matched[2], measure)
    if matched := _RANGE.fullmatch(text):
        low, high = measure.read(matched[1]), measure.read(matched[2])
        if low > high:
            raise units.UnitError(
                f"{units.short(text)} ends before it begins", "put the smaller number first"
            )
        return Limit(f"{matched[1]} to {matched[2]}", low, high)
    try:
        number = measure.read(text)
    except units.UnitError as error:
        raise units.UnitError(error.fact, f"{error.next_step}; or {_example(measure)}") from None
    return Limit(text, number, number)


def _compared(word: str, text: str, measure: Measure) -> Limit:
    bound = measure.read(text)
    shown = f"{word} {text}"
    if measure.counts and bound == 0 and word in ("below", "at least"):
        always = "no count is below 0" if word == "below" else "every count is at least 0"
        raise units.UnitError(always, "write 0, or at least 1")
    if word in ("below", "at most"):
        return Limit(shown, None, bound, word == "below")
    return Limit(shown, bound, None, word == "above")


def _tolerated(middle: str, tolerance: str, measure: Measure) -> Limit:
    value = measure.read(middle)
    share = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) *%", tolerance)
    if share and measure.kind not in ("share", "share_speed"):
        width = abs(value) * Fraction(share[1]) / 100
    else:
        width = replace(measure, counts=False).read(tolerance)
    if width < 0:
        raise units.UnitError(
            f"{units.short(tolerance)} is not a tolerance", "write it without a sign"
        )
    return Limit(f"{middle} ± {tolerance}", value - width, value + width)


def _example(measure: Measure) -> str:
    one = units.EXAMPLES[measure.kind] if measure.kind else "10"
    tolerance = "0.5 %" if measure.kind == "share" else "1 %" if measure.kind else "1"
    return f"below {one}, at least {one}, {one} ± {tolerance}"
