"""Edits the compiler's messages for the author of the sketch.

`#line` directives already make clang name the sketch's files. The rest is done here: show the sketch's own
line and column where the translator changed it, drop notes that point into the macros of loops or to
declarations in Hocket's headers, and shorten paths.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from hocket.errors import shorten
from hocket.paths import ROOT

_MESSAGE = re.compile(
    r"^(?P<file>[^\n]+?):(?P<line>\d+):(?:(?P<column>\d+):)?"
    r" (?P<kind>fatal error|error|warning|note): (?P<text>.*)$"
)
_SNIPPET = re.compile(r"^ *(?P<line>\d+) \| (?P<text>.*)$")
_MARKERS = re.compile(r"^(?P<margin> *\| )(?P<text>.*)$")
_SUMMARY = re.compile(r"^(\d+ (errors?|warnings?)( and \d+ errors?)? generated\.)$")
# The assertions of loops.h explain themselves. The quoted requirement names code that is not the sketch's.
_ASSERTION = re.compile(
    r"static assertion failed(?: due to requirement '.*?hocket.*?')?: (?=a loop's)"
)
# Notes about a declaration: the error has already named it, and Hocket's own headers are not to be edited.
# Notes about other candidates (`candidate function not viable`) are kept, because they help.
_DECLARED = re.compile(r" (declared|defined|(declaration|definition)( is)?) here$")
_HEADERS = tuple(
    f"{ROOT / folder}/"
    for folder in ("admission", "arduino", "kernel", "policies", "ports", "drivers")
)
# On an AVR %S in a format is a text in flash. Clang takes it for a text of wide characters.
_TEXT_IN_FLASH = re.compile(r"format specifies type 'wchar_t \*'[^\n]* but the argument has type '")
# An error that a board produces (HOCKET_REFUSE_). The warning option behind it does not help the reader.
_REFUSAL = re.compile(r" \[-W(?:error,-W)?user-defined-warnings\]$")


@dataclass(frozen=True)
class Source:
    """A file of the sketch: its lines, and where the translation widened one.

    widened: line → list of (column at which the sketch's text continues, columns it moved to the right), from
    left to right. Columns count from 0 and are those of the translation.
    """

    lines: list[str]
    widened: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def own_column(self, line: int, column: int) -> int:
        """Returns the sketch's column (from 0) of a column of the translation."""
        moved = [by for start, by in self.widened.get(line, []) if column >= start]
        return column - sum(moved)


@dataclass
class Diagnostics:
    """The edited messages of one compilation."""

    text: str = ""
    errors: int = 0
    first_error: tuple[str, int] | None = None
    first_text: str = ""
    missing_header: str | None = None


def clean(
    raw: str, generated: set[Path], sources: dict[Path, Source], *, avr: bool = False
) -> Diagnostics:
    """Edits clang's output. generated: generated files. sources: the sketch's own files. avr: the board has
    an AVR processor."""
    return _Cleaner({str(path) for path in generated}, sources, avr).clean(raw)


def _plain(text: str) -> str:
    return _REFUSAL.sub("", _ASSERTION.sub("", text))


class _Cleaner:
    def __init__(self, generated: set[str], sources: dict[Path, Source], avr: bool) -> None:
        self.generated, self.sources, self.avr = generated, sources, avr
        self.result = Diagnostics()
        self.kept: list[str] = []
        self.including: list[str] = []  # `In file included from` lines of the next message
        self.keep = True
        self.source: Source | None = None
        self.shown_line = 0  # the line of the last snippet
        self.asserted = False  # the last error was an assertion of loops.h

    def clean(self, raw: str) -> Diagnostics:
        for line in raw.splitlines():
            if _SUMMARY.match(line):
                continue
            message = _MESSAGE.match(line)
            if line.startswith("In file included from "):
                if not any(path in line for path in self.generated):
                    self.including.append(line)
            elif message:
                self._message(message)
            elif self.keep:
                self.kept.append(self._code(line))
        self.result.text = "\n".join(self.kept)
        return self.result

    def _message(self, message: re.Match[str]) -> None:
        file, number, kind = message["file"], int(message["line"]), message["kind"]
        misread = self.avr and kind == "warning" and _TEXT_IN_FLASH.match(message["text"])
        self.keep = not misread and (kind != "note" or not self._is_noise(message))
        if kind != "note":
            self.asserted = _ASSERTION.search(message["text"]) is not None
        self.source = self.sources.get(Path(file))
        if "error" in kind:
            self._count(file, number, message["text"])
        if not self.keep:
            self.including.clear()
            return
        place = f"{shorten(file)}:{number}:"
        if message["column"]:
            column = int(message["column"])
            own = self.source.own_column(number, column - 1) + 1 if self.source else column
            place += f"{max(1, own)}:"
        self.kept += [*self.including, f"{place} {kind}: {_plain(message['text'])}"]
        self.including.clear()

    def _is_noise(self, message: re.Match[str]) -> bool:
        file = message["file"]
        return (
            file in self.generated
            or file == "<scratch space>"
            or file.endswith("runtime/loops.h")
            or self._is_own_declaration(message)
            or "expanded from macro 'HOCKET_" in message["text"]
            or message["text"].startswith("from 'diagnose_if' attribute on")
            or (self.asserted and message["text"].startswith("expression evaluates to"))
        )

    def _is_own_declaration(self, message: re.Match[str]) -> bool:
        if Path(message["file"]) in self.sources or not _DECLARED.search(message["text"]):
            return False
        return os.path.normpath(message["file"]).startswith(_HEADERS)

    def _count(self, file: str, line: int, text: str) -> None:
        self.result.errors += 1
        if self.result.first_error is None:
            self.result.first_error = (file, line)
            self.result.first_text = _plain(text)
        missing = re.match(r"'([^']+)' file not found", text)
        if missing and self.result.missing_header is None:
            self.result.missing_header = missing.group(1)

    def _code(self, line: str) -> str:
        """Returns a line of code as it stands in the sketch, or the markers under it at the sketch's
        columns."""
        source = self.source
        if source is None:
            return line
        snippet = _SNIPPET.match(line)
        if snippet:
            self.shown_line = int(snippet["line"])
            if self.shown_line in source.widened and self.shown_line <= len(source.lines):
                return line[: snippet.start("text")] + source.lines[self.shown_line - 1]
            return line
        markers = _MARKERS.match(line)
        if markers and self.shown_line in source.widened:
            return markers["margin"] + self._moved(source, markers["text"])
        return line

    def _moved(self, source: Source, markers: str) -> str:
        moved: dict[int, str] = {}
        for column, mark in enumerate(markers):
            if mark != " ":
                own = source.own_column(self.shown_line, column)
                moved[own] = "^" if "^" in (mark, moved.get(own)) else mark
        width = max(moved, default=-1) + 1
        return "".join(moved.get(column, " ") for column in range(width))
