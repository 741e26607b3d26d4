"""Reads the names in the `#include` lines of a text, whatever conditions the lines stand under.

Only the preprocessor knows which of the lines take effect (found_libraries.py runs it). It need not run for
headers that no line of a text names. A line that this reader does not understand counts as one that may name
any header.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# A comment, a continued line or a digraph may precede the name, and a macro may replace it.
_LINE = re.compile(
    r"^(?:[^\n]*\*/)?[ \t\f\v]*(?:#|%:|\?\?=)[ \t\f\v]*"
    r"(?:(?P<odd>/\*|\w*\\\n)|(?:include(?:_next)?|import)\b(?P<named>[^\n]*))",
    re.MULTILINE,
)
# Marks of a directive, of a comment that does not end in its line, and of a raw string.
_TELLING = ("#", "%:", "??", "/*", "*/", 'R"', "\\")
_NAME = re.compile(r'[ \t\f\v]*(?:<(?P<far>[^>\n]+)>|"(?P<near>[^"\n]+)")')


@dataclass(frozen=True)
class Includes:
    """near: names in quotes. far: names in angle brackets. unsure: the text may include other files as
    well."""

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
    """Returns the lines of a text that affect what it includes: directives, and lines that may hide a
    directive or continue on the next line."""
    kept, goes_on = [], False
    for line in text.split("\n"):
        if goes_on or any(mark in line for mark in _TELLING):
            kept.append(line)
        goes_on = line.endswith("\\")
    return "\n".join(kept)
