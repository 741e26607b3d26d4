"""What the `#include` lines of a text name, whatever conditions they stand under.

The compiler's preprocessor alone knows which of them count (found_libraries.py asks it). What no line of a
text names it need not be asked about. So a line that this reading is not sure of counts as one that may name
anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# A comment, a continued line or a digraph may stand before the name, and a macro in its place.
_LINE = re.compile(
    r"^(?:[^\n]*\*/)?[ \t\f\v]*(?:#|%:|\?\?=)[ \t\f\v]*"
    r"(?:(?P<odd>/\*|\w*\\\n)|(?:include(?:_next)?|import)\b(?P<named>[^\n]*))",
    re.MULTILINE,
)
# Of a directive, a comment that does not end in its line, a raw string.
_TELLING = ("#", "%:", "??", "/*", "*/", 'R"', "\\")
_NAME = re.compile(r'[ \t\f\v]*(?:<(?P<far>[^>\n]+)>|"(?P<near>[^"\n]+)")')


@dataclass(frozen=True)
class Includes:
    """near: named in quotes; far: in angle brackets. unsure: there may be more."""

    near: tuple[str, ...]
    far: tuple[str, ...]
    unsure: bool = False


UNSURE = Includes((), (), unsure=True)


def include_lines(text: str) -> Includes:
    near: dict[str, None] = {}
    far: dict[str, None] = {}
    unsure = False
    for line in _LINE.finditer(text):
        name = None if line["odd"] else _NAME.match(line["named"])
        if name is None:
            unsure = True
        elif name["far"]:
            far.setdefault(name["far"])
        else:
            near.setdefault(name["near"])
    return Includes(tuple(near), tuple(far), unsure)


def telling_lines(text: str) -> str:
    """The lines of a text on which it depends what it includes: directives, and what may hide one or go on in
    the next line."""
    kept, goes_on = [], False
    for line in text.split("\n"):
        if goes_on or any(mark in line for mark in _TELLING):
            kept.append(line)
        goes_on = line.endswith("\\")
    return "\n".join(kept)
