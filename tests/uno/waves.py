"""Reads the pins' waves that `hocket run --vcd` writes."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path


def edges(file: Path, pin: str) -> list[tuple[int, int]]:
    """(nanosecond, level) of each change of a pin, such as D9; the first is its first level."""
    text = file.read_text()
    name = re.search(rf"\$var wire 1 (\S+) {pin} ", text)
    assert name is not None, f"no pin {pin} in {file}"
    now, found = 0, []
    for line in text.splitlines():
        if line.startswith("#"):
            now = int(line[1:])
        elif line in (f"0{name[1]}", f"1{name[1]}"):
            found.append((now, int(line[0])))
    return found


def pulses(file: Path, pin: str) -> list[tuple[int, int]]:
    """(begin, length) in nanoseconds of each whole pulse of a pin."""
    return [
        (begin, end - begin)
        for (begin, level), (end, _) in pairwise(edges(file, pin))
        if level == 1
    ]
