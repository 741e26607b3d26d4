"""The compiler's messages as the author of the sketch should see them.

`#line` makes clang name the sketch's files already. Left to do: show the sketch's own line where the
translator changed it, drop notes that point into the macros of annotated loops, shorten paths.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from hocket.errors import shorten

_MESSAGE = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?P<kind>fatal error|error|warning|note): "
)
_SNIPPET = re.compile(r"^ *(?P<line>\d+) \| (?P<text>.*)$")
_MARKERS = re.compile(r"^(?P<margin> *\| )(?P<text>.*)$")
_SUMMARY = re.compile(r"^(\d+ (errors?|warnings?)( and \d+ errors?)? generated\.)$")
# `HOCKET_LOOP` for `void loop`, `HOCKET_PERIODIC` for `void periodic`: two characters longer.
_SHIFT = 2


@dataclass
class Diagnostics:
    """The messages of one compilation, cleaned."""

    text: str = ""
    errors: int = 0
    first_error: tuple[str, int] | None = None
    missing_header: str | None = None
    kept: list[str] = field(default_factory=list)


def clean(raw: str, generated: set[Path], sources: dict[Path, list[str]]) -> Diagnostics:
    """Cleans clang's output. generated: files of ours; sources: lines of the sketch's own files."""
    result = Diagnostics()
    group: list[str] = []
    keep = True
    current: Path | None = None
    ours = {str(path) for path in generated}

    def close() -> None:
        if keep:
            result.kept.extend(group)
        group.clear()

    for line in raw.splitlines():
        if _SUMMARY.match(line):
            continue
        if line.startswith("In file included from "):
            close()
            keep = not any(path in line for path in ours)
            group.append(line)
            continue
        match = _MESSAGE.match(line)
        if match:
            if not (group and group[-1].startswith("In file included from ") and keep):
                close()
            current = Path(match["file"])
            keep = match["kind"] != "note" or not _is_noise(line, match["file"], ours)
            if "error" in match["kind"]:
                _count(result, line, match)
            group.append(_shortened(line, match["file"]))
            continue
        group.append(_own_line(line, group, sources.get(current, []) if current else []))
    close()
    result.text = "\n".join(result.kept)
    return result


def _is_noise(line: str, file: str, ours: set[str]) -> bool:
    return (
        file in ours or "expanded from macro 'HOCKET_" in line or file.endswith("runtime/loops.h")
    )


def _count(result: Diagnostics, line: str, match: re.Match[str]) -> None:
    result.errors += 1
    if result.first_error is None:
        result.first_error = (shorten(match["file"]), int(match["line"]))
    missing = re.search(r"error: '([^']+)' file not found", line)
    if missing and result.missing_header is None:
        result.missing_header = missing.group(1)


def _shortened(line: str, file: str) -> str:
    return shorten(file) + line[len(file) :]


def _own_line(line: str, group: list[str], source: list[str]) -> str:
    """A line of code as it stands in the sketch, and the markers under it moved along."""
    snippet = _SNIPPET.match(line)
    if snippet:
        number, shown = int(snippet["line"]), snippet["text"]
        own = source[number - 1] if 0 < number <= len(source) else shown
        if own != shown and "HOCKET_" in shown:
            return line[: snippet.start("text")] + own
        return line
    markers = _MARKERS.match(line)
    if markers and group:
        above = _SNIPPET.match(group[-1])
        if above and re.match(r"\s*void\s+(loop|periodic)\s*\(", above["text"]):
            column = len(markers["text"]) - len(markers["text"].lstrip())
            if column > above["text"].find("("):
                return markers["margin"] + markers["text"][_SHIFT:]
    return line
