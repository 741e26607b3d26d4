"""A sketch as clangd sees it: its tabs as one C++ text, with a mapping of places in both directions.

Places are those of the protocol: lines from 0, and characters in units of UTF-16.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hocket.errors import HocketError, SeveralErrors
from hocket.sketch.annotations import Loop
from hocket.sketch.folder import Sketch, read_source
from hocket.sketch.tokens import Lines
from hocket.sketch.translate import Joined, join_tabs, translate

Position = dict[str, int]
Range = dict[str, Position]

_TWO_UNITS = re.compile(r"[\U00010000-\U0010ffff]")
# The head of a loop while its text is being written. The checks of a build come later.
_HEAD = re.compile(
    r"^[ \t]*(?:static[ \t]+)?(?P<head>void\s+(?P<kind>loop|periodic)\s*)\((?=[^)\n]*\d)", re.M
)


class _Text:
    """Offsets and places of a text, found by bisection, because each message needs some and a line may be as
    long as the text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._wide = [found.start() for found in _TWO_UNITS.finditer(text)]
        self._size = len(text)

    def offset(self, position: Position) -> int:
        """Returns the offset of a place. A place after the end of its line becomes the end."""
        line = min(max(position["line"], 0), len(self._starts) - 1)
        start = self._starts[line]
        end = self._starts[line + 1] - 1 if line + 1 < len(self._starts) else self._size
        within = range(start, end)
        units = position["character"]
        return start + bisect_left(within, units, key=lambda offset: self._units(start, offset))

    def position(self, offset: int) -> Position:
        line = bisect_right(self._starts, offset) - 1
        return {"line": line, "character": self._units(self._starts[line], offset)}

    def _units(self, start: int, end: int) -> int:
        return end - start + bisect_left(self._wide, end) - bisect_left(self._wide, start)


@dataclass(frozen=True)
class _Piece:
    """A part of the translation. own: it is the sketch's text. Otherwise it was generated for the place
    `source`."""

    start: int
    end: int
    source: int
    own: bool


@dataclass
class Document:
    """A sketch and its translation. problems: the errors that a build would report, with file and line."""

    sketch: Sketch
    joined: Joined
    problems: tuple[HocketError, ...] = ()
    text: str = ""
    _pieces: list[_Piece] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.text = self.joined.translation
        self._new = _Text(self.text)
        self._tabs = [_Text(text) for _, text in self.joined.tabs]
        at, source = len(self.joined.preamble), 0
        self._pieces = [_Piece(0, at, 0, False)]
        for start, end, replacement in (*self.joined.edits, (len(self.joined.text),) * 2 + ("",)):
            for length, place, own in (
                (start - source, source, True),
                (len(replacement), start, False),
            ):
                self._pieces.append(_Piece(at, at + length, place, own))
                at += length
            source = end
        self._pieces.append(_Piece(at, len(self.text), source, False))
        self._begins = [piece.start for piece in self._pieces]
        self._own = [piece for piece in self._pieces if piece.own]
        self._others = [piece for piece in self._pieces if not piece.own]

    def tab(self, file: Path) -> int | None:
        return next((i for i, (path, _) in enumerate(self.joined.tabs) if path == file), None)

    def inward(self, tab: int, position: Position) -> Position:
        """Returns the place in the translation of a place in a tab."""
        source = self.joined.starts[tab] + self._tabs[tab].offset(position)
        piece = self._own[bisect_right(self._own, source, key=lambda each: each.source) - 1]
        if source <= piece.source + piece.end - piece.start:
            best = piece.start + source - piece.source
        else:  # within the head of a loop
            at = bisect_right(self._others, source, key=lambda each: each.source)
            best = self._others[at - 1].start
        return self._new.position(best)

    def outward(self, position: Position) -> tuple[int, Position, bool]:
        """Returns the tab, the place in it, and whether it is the sketch's own text."""
        offset = self._new.offset(position)
        piece = self._pieces[bisect_right(self._begins, offset) - 1]
        source = piece.source + (offset - piece.start if piece.own else 0)
        tab = bisect_right(self.joined.starts, source) - 1
        within = self._tabs[tab].position(source - self.joined.starts[tab])
        return tab, within, piece.own

    def outward_range(self, both: Range) -> tuple[int, Range, bool]:
        tab, start, own = self.outward(both["start"])
        other, end, _ = self.outward(both["end"])
        if other != tab or (end["line"], end["character"]) < (start["line"], start["character"]):
            end = start
        return tab, {"start": start, "end": end}, own


def document_of(sketch: Sketch) -> Document:
    """Returns the sketch in its current state, even if it is incomplete and a build would refuse it."""
    tabs = [(path, read_source(path)) for path in sketch.tabs]
    problems: tuple[HocketError, ...] = ()
    try:
        loops = [loop for loop in translate(sketch).loops if not loop.from_macro]
    except SeveralErrors as errors:
        problems = tuple(errors.errors)
    except HocketError as error:
        problems = (error,)
    if problems:
        loops = [loop for path, text in tabs for loop in _heads(path, text)]
    return Document(sketch, join_tabs(tabs, loops), problems)


def _heads(path: Path, text: str) -> list[Loop]:
    lines = Lines(text)

    def loop(found: re.Match[str]) -> Loop:
        opened = found.end() - 1
        closed = text.find(")", opened)
        line = lines.line(opened)
        return Loop(found["kind"], path, line, found.start("head"), opened, closed, False, (), ())

    return [loop(found) for found in _HEAD.finditer(text)]


def diagnostic_of(problem: HocketError) -> dict[str, Any]:
    """Returns a build error as a diagnostic at its line."""
    line = max((problem.line or 1) - 1, 0)
    said = [
        problem.fact,
        *(f"{w}: {t}" for w, t in (("cause", problem.cause), ("next", problem.next_step)) if t),
    ]
    ends = {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}}
    return {"range": ends, "severity": 1, "source": "hocket", "message": "\n".join(said)}
