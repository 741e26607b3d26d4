"""Durations on the command line (10s, 500ms, 1h30m) and in tables."""

from __future__ import annotations

import re
from fractions import Fraction

from hocket.errors import HocketError

_UNITS = {
    "ns": 1,
    "us": 1_000,
    "µs": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "m": 60_000_000_000,
    "min": 60_000_000_000,
    "h": 3_600_000_000_000,
}
_PART = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ns|us|µs|ms|min|s|m|h)")
_LONGEST = 2**63 - 1
_MOST_LETTERS = 100  # no sensible duration is longer


def parse_duration(text: str, option: str) -> int:
    """Returns a duration in nanoseconds. Raises HocketError, which names the option, if it is invalid."""
    compact = text.replace(" ", "")
    if len(compact) > _MOST_LETTERS:
        raise HocketError(
            f"{option} {compact[:20] + '…'!r} cannot be used",
            f"it has {len(compact)} characters",
            "write for instance 500ms, 10s, 5m or 1h30m",
        )
    parts = _PART.findall(compact)
    if re.fullmatch(r"0+(\.0+)?", compact):
        raise HocketError(
            f"{option} {text!r} is zero",
            "nothing would run",
            "write for instance 500ms, 10s, 5m or 1h30m",
        )
    if not parts or "".join(number + unit for number, unit in parts) != compact:
        bare = re.fullmatch(r"[0-9]+(\.[0-9]+)?", compact)
        raise HocketError(
            f"{option} {text!r} is not a duration",
            "the unit is missing" if bare else "a duration is a number and a unit",
            f"write {text.strip()}s"
            if bare and Fraction(compact) > 0
            else "write for instance 500ms, 10s, 5m or 1h30m",
        )
    total = sum(Fraction(number) * _UNITS[unit] for number, unit in parts)
    if total.denominator != 1 or not 0 < total <= _LONGEST:
        raise HocketError(
            f"{option} {text!r} cannot be used",
            "it must be at least one whole nanosecond, and at most 292 years",
            "write for instance 500ms, 10s, 5m or 1h30m",
        )
    return int(total)


def format_microseconds(value: float | None) -> str:
    """Formats a time of the report for a table in the most readable unit. None becomes –."""
    if value is None:
        return "–"
    if value == 0:
        return "0"
    if abs(value) < 1_000:
        return f"{_trimmed(value)} us"
    if abs(value) < 10_000_000 and (value < 1_000_000 or value % 1_000_000):
        return f"{_trimmed(value / 1_000)} ms"
    return f"{_trimmed(value / 1_000_000)} s"


def _trimmed(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
