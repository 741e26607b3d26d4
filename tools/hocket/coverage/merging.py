"""The lines of several runs together; as a file from one command to another."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from hocket.coverage.lines import Lines


def merge(runs: Iterable[Lines]) -> Lines:
    """Each line with the number of runs in which it ran. A line that one program has and another has not (a
    constant that was put in elsewhere) is a line."""
    together: Lines = {}
    for run in runs:
        for file, lines in run.items():
            mine = together.setdefault(file, {})
            for line, times in lines.items():
                mine[line] = mine.get(line, 0) + times
    return together


def write_lines(lines: Lines, file: Path) -> None:
    content = {
        str(path): {str(line): n for line, n in each.items()} for path, each in lines.items()
    }
    file.write_text(json.dumps(content), encoding="utf-8", errors="surrogateescape")


def read_lines(file: Path) -> Lines:
    """What write_lines() wrote; nothing where a run did not come so far."""
    try:
        content = json.loads(file.read_text(encoding="utf-8", errors="surrogateescape"))
        return {
            Path(path): {int(line): int(times) for line, times in lines.items()}
            for path, lines in content.items()
        }
    except (OSError, ValueError, AttributeError):
        return {}
