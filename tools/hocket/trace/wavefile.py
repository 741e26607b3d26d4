"""Reads signals from a wave file of the board's program (simulation/devices/waves.h)."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from hocket.errors import EXIT_DEFECT, HocketError


def spoilt(file: Path, problem: Exception) -> HocketError:
    """Returns the error for an invalid wave file."""
    return HocketError(
        "the wave file of the run cannot be used",
        str(problem),
        "run the sketch again; if that does not help, this is a defect of Hocket",
        file,
        exit_code=EXIT_DEFECT,
    )


def read_signals(file: Path, names: Collection[str]) -> dict[str, list[tuple[int, str]]]:
    """Returns the changes of the named signals, from their value at time 0 on. A pin's name is `D13`, a
    part's number `arm.angle_deg`. Signals that the file does not have are left out. Raises HocketError for an
    invalid file."""
    try:
        return _signals(file, names)
    except (ValueError, IndexError) as problem:
        raise spoilt(file, problem) from problem


def _signals(file: Path, names: Collection[str]) -> dict[str, list[tuple[int, str]]]:
    found: dict[str, list[tuple[int, str]]] = {}
    with file.open(encoding="utf-8") as lines:
        scope = ""
        codes: dict[str, list[tuple[int, str]]] = {}
        for line in lines:
            words = line.split()
            if words[:2] == ["$scope", "module"]:
                scope = words[2]
            elif words[:1] == ["$var"] and (name := _name(scope, words)) in names:
                codes[words[3]] = found.setdefault(name, [])
            elif words[:1] == ["$enddefinitions"]:
                break
        now = 0
        for line in lines:
            if line[0] == "#":
                now = int(line[1:])
            elif line[0] in "01xz" and (changes := codes.get(line[1:-1])) is not None:
                changes.append((now, line[0]))
            elif line[0] == "r":
                value, _, code = line[1:-1].partition(" ")
                if (changes := codes.get(code)) is not None:
                    changes.append((now, value))
    return found


def _name(scope: str, words: list[str]) -> str:
    """Returns a signal's full name. In its scope a part's signal begins with the part's name (waves.h), which
    is removed. Other names are of pins."""
    name = words[4]
    return name if scope == "board" else f"{scope}.{name.removeprefix(f'{scope}_')}"
