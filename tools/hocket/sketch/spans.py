"""Spans of time in a loop's annotation: 70, 500us, 20ms, 1s."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from hocket.sketch.tokens import Kind, Token

UNITS = {"us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}

_WHOLE = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([A-Za-z_]\w*)?")
_DECIMAL = re.compile(
    r"([0-9]*\.[0-9]*(?:[eE][+-]?[0-9]{1,3})?|[0-9]+[eE][+-]?[0-9]{1,3})([A-Za-z_]\w*)?"
)
_INTEGER_SUFFIX = re.compile(r"(?:[uU](?:ll|LL|[lLzZ])?|(?:ll|LL|[lLzZ])[uU]?)")


@dataclass(frozen=True)
class Span:
    """A span that is written as a literal. unit: "" for a bare number (milliseconds)."""

    nanoseconds: int
    unit: str
    text: str

    def __str__(self) -> str:
        return f"{self.text} ms" if self.unit == "" else self.text


def read_span(argument: tuple[Token, ...]) -> Span | None:
    """Returns the span of an argument that is one literal, with an optional sign. None: an expression."""
    if not argument or argument[-1].kind is not Kind.NUMBER:
        return None
    *signs, number = argument
    if not all(token.is_one_of("+-") for token in signs):
        return None
    sign = (-1) ** sum(token.is_mark("-") for token in signs)
    match = _WHOLE.fullmatch(number.text.replace("'", ""))
    if match is None:
        return None
    digits, suffix = match.group(1), match.group(2) or ""
    if suffix and suffix not in UNITS and not _INTEGER_SUFFIX.fullmatch(suffix):
        return None
    value = _value(digits)
    if value is None:
        return None
    unit = suffix if suffix in UNITS else ""
    text = "".join(token.text for token in argument)
    return Span(sign * value * UNITS[unit or "ms"], unit, text)


def unknown_unit(argument: tuple[Token, ...]) -> tuple[str, str] | None:
    """Returns (fact, next step) if a number of the argument has an unknown unit or is not a whole number,
    else None."""
    for index, token in enumerate(argument):
        if token.kind is not Kind.NUMBER:
            continue
        plain = token.text.replace("'", "")
        decimal, whole = _DECIMAL.fullmatch(plain), _WHOLE.fullmatch(plain)
        following = argument[index + 1] if index + 1 < len(argument) else None
        if following is not None and following.kind in (Kind.WORD, Kind.NUMBER):
            if following.text in UNITS:
                return f"a space stands inside `{token.text} {following.text}`", (
                    f"write {token.text}{following.text}"
                )
            return _unit_problem(token.text, following.text)
        if decimal is not None:
            return _decimal_problem(token.text, decimal.group(1), decimal.group(2) or "")
        suffix = whole.group(2) or "" if whole else token.text
        if suffix and suffix not in UNITS and not _INTEGER_SUFFIX.fullmatch(suffix):
            return _unit_problem(whole.group(1) if whole else token.text, suffix)
    return None


def _unit_problem(number: str, unit: str) -> tuple[str, str]:
    return f"`{unit}` is not a unit of time", f"write {number}us, {number}ms or {number}s"


def _decimal_problem(text: str, number: str, unit: str) -> tuple[str, str]:
    if unit and unit not in UNITS:
        return f"`{unit}` is not a unit of time", "write a whole number with us, ms or s"
    try:
        exact = Fraction(number) * UNITS[unit or "ms"] / UNITS["us"]
    except ValueError:
        return f"`{text}` is not a number", "write a whole number with us, ms or s"
    if exact.denominator == 1 and exact > 0:
        return f"`{text}` is not a whole number", f"write {_shortest(int(exact))}"
    return f"`{text}` is not a whole number", "write a whole number of microseconds, like 500us"


def _shortest(microseconds: int) -> str:
    """Returns a time in the largest unit in which it is a whole number."""
    for unit in ("s", "ms"):
        size = UNITS[unit] // UNITS["us"]
        if microseconds % size == 0:
            return f"{microseconds // size}{unit}"
    return f"{microseconds}us"


def _value(digits: str) -> int | None:
    lowered = digits.lower()
    try:
        if lowered.startswith("0x"):
            return int(lowered, 16)
        if lowered.startswith("0b"):
            return int(lowered, 2)
        if len(digits) > 1 and digits.startswith("0"):
            return int(digits, 8)
        return int(digits)
    except ValueError:  # 08: not octal; more digits than Python reads
        return None
