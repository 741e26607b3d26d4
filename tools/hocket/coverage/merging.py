"""Merges the lines of several runs, and passes them between commands in a file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from hocket.coverage.lines import Lines


def merge(runs: Iterable[Lines]) -> Lines:
    """Returns each line with the number of runs in which it ran. A line that only one of the programs has
    (others may have propagated a constant) counts as a line."""
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
    """Reads the file of write_lines(). Empty if a run did not get that far."""
    try:
        content = json.loads(file.read_text(encoding="utf-8", errors="surrogateescape"))
        return {
            Path(path): {int(line): int(times) for line, times in lines.items()}
            for path, lines in content.items()
        }
    except (OSError, ValueError, AttributeError):
        return {}
