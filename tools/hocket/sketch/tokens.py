"""Splits a sketch into C++ tokens, just well enough to find its loops.

Invariants: it never fails, whatever the text. Every token is a slice of the text, in order, without overlap.
Comments, strings (including raw ones) and preprocessor lines are one token each, so that their content is
never taken for code. The text between tokens is white space.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    COMMENT = "comment"
    STRING = "string"
    NUMBER = "number"
    WORD = "word"
    DIRECTIVE = "directive"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class Token:
    kind: Kind
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def is_mark(self, text: str) -> bool:
        return self.kind is Kind.MARK and self.text == text

    def is_one_of(self, marks: str) -> bool:
        return self.kind is Kind.MARK and self.text in marks

    def is_word(self, *texts: str) -> bool:
        return self.kind is Kind.WORD and self.text in texts


# The order matters: a comment before a division, a raw string before a word, a number with its digit
# separators before a character literal. A token without an end extends to the end of its line, or of the
# file.
_COMMENT = r"//(?:\\\n|[^\n])*+|/\*(?s:.*?)(?:\*/|\Z)"
_QUOTED = r'"(?:\\(?:.|\n)|[^"\\\n])*+"?|\'(?:\\(?:.|\n)|[^\'\\\n])*+\'?'
# The repetitions are possessive (`*+`): otherwise the matcher would store a backtracking point for each step.
_TOKEN = re.compile(
    rf"""
    (?P<comment>{_COMMENT})
  | (?P<directive>(?:(?<=\n)|\A\ufeff?)[ \t\f\v]*\#(?:\\\n|{_COMMENT}|{_QUOTED}|[^\n])*+)
  | (?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{{0,16}})\((?s:.*?)(?:\)(?P=delimiter)"|\Z))
  | (?P<string>(?:u8|[uUL])?(?:{_QUOTED}))
  | (?P<number>\.?[0-9](?:[eEpP][+-]|'?\w|\.)*+)
  | (?P<word>(?:\w|\$)++)
  | (?P<mark>::|->|\.\.\.|&&|[^\s])
    """,
    re.VERBOSE,
)

_KINDS = {
    "comment": Kind.COMMENT,
    "directive": Kind.DIRECTIVE,
    "raw": Kind.STRING,
    "string": Kind.STRING,
    "number": Kind.NUMBER,
    "word": Kind.WORD,
    "mark": Kind.MARK,
}


def tokens_of(text: str) -> list[Token]:
    """Returns all tokens of the text, including comments."""
    found = []
    for match in _TOKEN.finditer(text):
        group = match.lastgroup or "mark"
        if group == "delimiter":
            group = "raw"
        piece = match.group()
        start = match.start()
        if group == "directive":  # its indentation is white space
            indentation = len(piece) - len(piece.lstrip(" \t\f\v\ufeff"))
            piece, start = piece[indentation:], start + indentation
        found.append(Token(_KINDS[group], piece, start))
    return found


class Lines:
    """Line numbers (from 1) and columns (from 0) of offsets in a text."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def line(self, offset: int) -> int:
        return bisect_right(self.starts, offset)

    def column(self, offset: int) -> int:
        return offset - self.starts[self.line(offset) - 1]


def directive_name(directive: str) -> str:
    """Returns `ifdef` for `#  ifdef X`, or an empty string if there is no name."""
    match = re.match(r"#(?:[ \t\f\v]|\\\n|/\*(?s:.*?)\*/)*+(\w*+)", directive)
    return match.group(1) if match else ""


def directive_rest(directive: str) -> str:
    """Returns what follows the name of a directive, without comments and continuations."""
    match = re.match(r"#(?:[ \t\f\v]|\\\n|/\*(?s:.*?)\*/)*+\w*+", directive)
    rest = directive[match.end() :] if match else ""
    return re.sub(_COMMENT, " ", rest.replace("\\\n", " ")).strip()
