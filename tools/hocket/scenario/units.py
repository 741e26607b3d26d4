"""Numbers with units, exactly: `300 cm` is 3,000,000,000 nanometres.

Base units: ns, nm, nm/s, mHz, microdegree (and per second), millionth (and per second), millidegree Celsius,
thousandth of a pascal, millionth of g, thousandth of a lux and of a turn a minute, millionth of a volume,
milligramme.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

UNITS: dict[str, dict[str, Fraction]] = {
    "time": {
        "ns": Fraction(1),
        "us": Fraction(10**3),
        "µs": Fraction(10**3),
        "ms": Fraction(10**6),
        "s": Fraction(10**9),
        "min": Fraction(60 * 10**9),
    },
    "length": {
        "nm": Fraction(1),
        "um": Fraction(10**3),
        "µm": Fraction(10**3),
        "mm": Fraction(10**6),
        "cm": Fraction(10**7),
        "m": Fraction(10**9),
    },
    "speed": {
        "mm/s": Fraction(10**6),
        "cm/s": Fraction(10**7),
        "m/s": Fraction(10**9),
        "km/h": Fraction(10**12, 3600),
    },
    "frequency": {"Hz": Fraction(10**3), "kHz": Fraction(10**6), "MHz": Fraction(10**9)},
    "angle": {"deg": Fraction(10**6)},
    "angular_speed": {"deg/s": Fraction(10**6)},
    "share": {"%": Fraction(10**4)},
    "share_speed": {"%/s": Fraction(10**4)},
    "temperature": {"C": Fraction(10**3), "°C": Fraction(10**3)},
    "pressure": {"Pa": Fraction(10**3), "hPa": Fraction(10**5), "kPa": Fraction(10**6)},
    "acceleration": {"g": Fraction(10**6), "m/s2": Fraction(10**11, 980665)},
    "light": {"lx": Fraction(10**3)},
    "concentration": {"ppm": Fraction(1)},
    "mass": {"mg": Fraction(1), "g": Fraction(10**3), "kg": Fraction(10**6)},
    "rotation": {"rpm": Fraction(10**3)},
}

EXAMPLES = {
    "time": "20 ms",
    "length": "300 cm",
    "speed": "2.5 m/s",
    "frequency": "1 kHz",
    "angle": "90 deg",
    "angular_speed": "600 deg/s",
    "share": "25 %",
    "share_speed": "10 %/s",
    "temperature": "21.5 C",
    "pressure": "1013.25 hPa",
    "acceleration": "1 g",
    "light": "300 lx",
    "concentration": "400 ppm",
    "mass": "250 g",
    "rotation": "120 rpm",
}

_QUANTITY = re.compile(r"([+-]?[0-9]{1,20}(?:\.[0-9]{1,20})?) *([^0-9 .+-][^ ]*)?")


class UnitError(ValueError):
    """A text that is not a quantity of this kind. fact: what is wrong. next_step: what to write."""

    def __init__(self, fact: str, next_step: str) -> None:
        super().__init__(fact)
        self.fact = fact
        self.next_step = next_step


def describe(kind: str) -> str:
    """Returns a kind with its article: `a time`, `an angle`, `a share speed`."""
    words = {"share_speed": "share per second", "angular_speed": "angular speed"}.get(kind, kind)
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def parse(value: object, kind: str) -> int:
    """Returns the quantity in its base unit, rounded to the nearest whole number (halves to even).

    Raises UnitError for anything but a number with a unit of this kind. A bare 0 is accepted.
    """
    if isinstance(value, str | int | float):
        return _rounded(value, kind)
    return round(exact(value, kind))


@lru_cache(
    1 << 16, typed=True
)  # a profile has thousands of values, and is checked after each change of a part
def _rounded(value: str | float, kind: str) -> int:
    return round(exact(value, kind))


def exact(value: object, kind: str) -> Fraction:
    """As parse(), without rounding."""
    units = UNITS[kind]
    advice = (
        f"write {describe(kind)} with its unit ({', '.join(units)}), for example {EXAMPLES[kind]}"
    )
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise UnitError(f"{describe(kind)} is needed here", advice)
    text = str(value).strip().replace("μ", "µ")
    matched = _QUANTITY.fullmatch(text)
    if matched is None:
        raise UnitError(f"{short(text)} is not {describe(kind)}", advice)
    number = Fraction(matched[1])
    if matched[2] is None:
        if number == 0:
            return Fraction(0)
        raise UnitError(f"{short(text)} has no unit", advice)
    if matched[2] not in units:
        known = [other for other, names in UNITS.items() if matched[2] in names]
        what = (
            f"{short(matched[2])} is a unit of {known[0].replace('_', ' ')}"
            if known
            else f"{short(matched[2])} is not a unit"
        )
        raise UnitError(f"{what}; {describe(kind)} is needed here", advice)
    return number * units[matched[2]]


def short(text: str) -> str:
    """Shortens a text for messages."""
    return text if len(text) <= 40 else text[:37] + "..."
