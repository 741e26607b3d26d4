"""Reads signals of the board from the wave file that its program has written (simulation/devices/waves.h)."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path


def read_signals(file: Path, names: Collection[str]) -> dict[str, list[tuple[int, str]]]:
    """The changes of the signals of these names in the scope `board`, from their value at 0 on. Those that
    the file does not have are left out."""
    found: dict[str, list[tuple[int, str]]] = {}
    with file.open(encoding="utf-8") as lines:
        scope = ""
        codes: dict[str, list[tuple[int, str]]] = {}
        for line in lines:
            words = line.split()
            if words[:2] == ["$scope", "module"]:
                scope = words[2]
            elif words[:1] == ["$var"] and scope == "board" and words[4] in names:
                codes[words[3]] = found.setdefault(words[4], [])
            elif words[:1] == ["$enddefinitions"]:
                break
        now = 0
        for line in lines:
            if line[0] == "#":
                now = int(line[1:])
            elif line[0] in "01xz" and (changes := codes.get(line[1:-1])) is not None:
                changes.append((now, line[0]))
    return found
