"""Loops that LLVM's code does not show: those that shifts by a variable number of bits become on an AVR, and
those within inline assembler.

The loop of a shift counts its number of bits in one byte, so it ends, also where C++ leaves the result open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_VALUE = r"(%[\w.$-]+|%\"[^\"]+\"|-?\d+)"
_SHIFT = re.compile(
    rf"= (?:(?:shl|lshr|ashr)(?: \w+)* i\d+ [^,]+, |.*@llvm\.fsh[lr]\.i\d+\(.*, i\d+ (?:\w+ )*){_VALUE}"
)
# A value that is known to be small, and one that is another with more or fewer bits.
_MASKED = re.compile(rf"{_VALUE} = and i\d+ [^,]+, (\d+)")
_REST = re.compile(rf"{_VALUE} = urem i\d+ [^,]+, (\d+)")
_SAME = re.compile(rf"{_VALUE} = (?:zext|trunc|freeze)(?: (?:nneg|nuw|nsw))* i\d+ {_VALUE}")
_ASSEMBLER = re.compile(r'\basm (?:\w+ )*"((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\[0-9A-Fa-f]{2}")
_JUMP = re.compile(r"\b(?:r?jmp|ijmp|br[a-z]{2})\b", re.IGNORECASE)
_BYTE = 255


@dataclass
class Hidden:
    """The hidden loops of one function, whose lines are read in order."""

    _small: dict[str, int] = field(default_factory=dict)

    def loops_of(self, line: str) -> list[int | None]:
        """Returns the most back edges of each loop that an instruction becomes. None: unknown."""
        if (masked := _MASKED.search(line)) is not None:
            self._small[masked[1]] = min(int(masked[2]), _BYTE)
        elif (rest := _REST.search(line)) is not None:
            self._small[rest[1]] = min(max(int(rest[2]) - 1, 0), _BYTE)
        elif (same := _SAME.search(line)) is not None and same[2] in self._small:
            self._small[same[1]] = self._small[same[2]]
        elif (shift := _SHIFT.search(line)) is not None and shift[1].startswith("%"):
            return [self._small.get(shift[1], _BYTE)]
        elif (text := _ASSEMBLER.search(line)) is not None:
            return [None] if _JUMP.search(_ESCAPED.sub(" ", text[1])) else []
        return []
