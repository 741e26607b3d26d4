"""Joins the wave files of two boards that ran in common time.

The first board's signals keep their names. Those of the second are in a scope with the board's name, which
precedes their names.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from pathlib import Path

from hocket.trace.wavefile import spoilt
from hocket.whole_files import made_aside

_SECOND = "~"  # begins the second board's identifiers
# The most characters of an identifier. Programs write short ones. Each identifier of the second board gets a
# prefix that is one character longer than the longest identifier of the first.
_LONGEST_CODE = 16


def join_waves(first: Path, second: Path, name: str, to: Path) -> None:
    """Writes one wave file with the signals of both boards. to: may be the first file. Raises HocketError if
    a file is invalid."""
    try:
        _join(first, second, name, to)
    except (ValueError, IndexError, StopIteration) as problem:
        raise spoilt(first, problem) from problem


def _join(first: Path, second: Path, name: str, to: Path) -> None:
    with first.open(encoding="utf-8") as one, second.open(encoding="utf-8") as other:
        head = _head(one)
        scope = _renamed(_head(other), name, _prefix(head))
        end = next(i for i, line in enumerate(head) if line.startswith("$enddefinitions"))
        lines = [*head[:end], f"$scope module {name} $end\n", *scope, "$upscope $end\n", head[end]]
        with made_aside(to) as fresh, fresh.open("w", encoding="utf-8") as out:
            out.writelines(lines)
            out.writelines(_body(one, other, _prefix(head)))


def _head(lines: Iterator[str]) -> list[str]:
    """Returns the lines up to the end of the definitions."""
    head = []
    for line in lines:
        head.append(line)
        if line.startswith("$enddefinitions"):
            return head
    raise ValueError("a wave file without definitions")


def _prefix(head: list[str]) -> str:
    """Returns a prefix with which no identifier of the first file begins."""
    longest = max((len(line.split()[3]) for line in head if line.startswith("$var")), default=0)
    if longest > _LONGEST_CODE:
        raise ValueError(f"an identifier has {longest} characters")
    return _SECOND * (longest + 1)


def _renamed(head: list[str], name: str, prefix: str) -> list[str]:
    """Returns the definitions of the second file, in a scope with its name."""
    kept = []
    for line in head:
        words = line.split()
        if words[:1] == ["$var"]:
            words[3] = prefix + words[3]
            words[4] = f"{name}_{words[4]}"
            kept.append(" ".join(words) + "\n")
        elif words[:1] in (["$scope"], ["$upscope"]):
            kept.append(line)
    return kept


def _body(one: Iterator[str], other: Iterator[str], prefix: str) -> Iterator[str]:
    """Yields the changes in order of time. At one instant the first file's changes come first."""
    now = None
    streams = (_changes(one, 0, ""), _changes(other, 1, prefix))
    for instant, _, changes in heapq.merge(*streams, key=lambda entry: entry[:2]):
        if instant != now and instant >= 0:
            yield f"#{instant}\n"
        now = instant
        yield from changes


def _changes(lines: Iterator[str], which: int, prefix: str) -> Iterator[tuple[int, int, list[str]]]:
    """Yields (instant, file number, changes). Changes before the first instant have -1."""
    instant = -1
    changes: list[str] = []
    for line in lines:
        if line.startswith("#"):
            if instant >= 0 or changes:
                yield instant, which, changes
            instant, changes = int(line[1:]), []
        elif line.startswith("$"):
            changes.append(line)
        else:
            changes.append(_change(line, prefix))
    yield instant, which, changes


def _change(line: str, prefix: str) -> str:
    """Returns the change `1!` or `r2.5 !` with its identifier renamed."""
    if line[0] in "rRbB":
        value, _, code = line.partition(" ")
        return f"{value} {prefix}{code}"
    return line[0] + prefix + line[1:]
