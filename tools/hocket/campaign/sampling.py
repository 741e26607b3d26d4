"""Determines the runs of a campaign: their seeds, and the values drawn for each.

A run's values depend only on its seed and on the variations. They do not depend on the number or the order of
runs, or on the process that performs them. So one run can be repeated alone.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from hocket.errors import HocketError
from hocket.scenario.settings import Setting, Target, read_setting, split

MOST_RUNS = 1_000_000
_STEPS = 1000  # of a range, except one of whole numbers without a unit
_RANGE = re.compile(
    r"([+-]?\d{1,12}(?:\.\d{1,9})?) *([^\d\s.,][^\s,]*?)? *\.\. *"
    r"([+-]?\d{1,12}(?:\.\d{1,9})?) *([^\d\s.,][^\s,]*)?"
)


@dataclass(frozen=True)
class Range:
    """Evenly distributed between two numbers, both included, in one unit."""

    low: Decimal
    high: Decimal
    unit: str

    def draw(self, dice: random.Random) -> str:
        places = max(-_exponent(self.low), -_exponent(self.high), 0)
        if not self.unit and places == 0:
            return str(dice.randint(int(self.low), int(self.high)))
        step = dice.randint(0, _STEPS)
        value = self.low + (self.high - self.low) * step / _STEPS
        return f"{_short(round(value, places + 3))} {self.unit}".rstrip()


@dataclass(frozen=True)
class Choice:
    """One of these values."""

    values: tuple[str, ...]

    def draw(self, dice: random.Random) -> str:
        return dice.choice(self.values)


@dataclass(frozen=True)
class Variation:
    target: Target
    values: Range | Choice

    def draw(self, seed: int) -> Setting:
        dice = random.Random(f"{seed} {self.target}")
        return Setting(self.target, self.values.draw(dice))


@dataclass(frozen=True)
class Planned:
    """One run of a campaign."""

    seed: int
    settings: tuple[Setting, ...] = ()


def read_variation(text: str) -> Variation:
    """Parses `TARGET = 5..30 ms`, `TARGET = 1 ms, 2 ms, 5 ms` or a single value. Raises HocketError."""
    target, right = split(text, "--vary")
    if ".." in right:
        return Variation(target, _range(text, right))
    values = tuple(value.strip() for value in right.split(","))
    if "" in values:
        raise HocketError(
            f"--vary {text!r} has an empty value",
            next_step="write values with commas between them, or a range such as 5..30 ms",
        )
    for value in values:
        read_setting(f"{target} = {value}", "--vary")
    return Variation(target, Choice(values))


def _range(text: str, right: str) -> Range:
    matched = _RANGE.fullmatch(right)
    if matched is None:
        raise HocketError(
            f"--vary {text!r}: {right!r} is no range",
            "a range is two numbers with .. between them, and their unit",
            "write for instance 5..30 ms",
        )
    low, high = Decimal(matched[1]), Decimal(matched[3])
    units = {unit for unit in (matched[2], matched[4]) if unit}
    if len(units) > 1:
        raise HocketError(
            f"--vary {text!r} has two units", next_step="write the range in one unit: 500..2000 us"
        )
    if low > high:
        raise HocketError(
            f"--vary {text!r} begins above its end",
            next_step=f"write {high}..{low} {''.join(units)}",
        )
    found = Range(low, high, "".join(units))
    target, _ = split(text, "--vary")
    for end in (low, high):
        read_setting(f"{target} = {f'{end} {found.unit}'.rstrip()}", "--vary")
    return found


def plan(first: int, count: int, variations: Sequence[Variation]) -> list[Planned]:
    """Returns the runs with the seeds from `first` on."""
    seen: set[Target] = set()
    for each in variations:
        if each.target in seen:
            raise HocketError(
                f"--vary {each.target} is given twice", next_step="say all its values in one option"
            )
        seen.add(each.target)
    return [
        Planned(seed, tuple(each.draw(seed) for each in variations))
        for seed in range(first, first + count)
    ]


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _short(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
