"""The self-test for real boards measures what the event log says that the kernel took."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.commands import run_hocket

from hocket.paths import ROOT

SKETCH = ROOT / "arduino" / "cores" / "avr8" / "self-test"
DISPATCH, BLOCK, SLEEP, BEGINS, ENDS = 1, 3, 4, 13, 14
# Threads have their loops' numbers: 1 begins at equal times, 2 computes, 3 is woken by timer 2.
TIMER1_A, PERIOD = 11, 40_000.0
FROM, UNTIL = (
    140_000.0,
    9_980_000.0,
)  # us: from the fifth beginning of loop 1 to the 250th, which prints
LINE = re.compile(r"^(E\+S|S|I|L|M) seen ([\d.]+) us, declared ([\d.]+) us(: MORE)?$", re.MULTILINE)


class Event(NamedTuple):
    us: float
    kind: int
    thread: int
    arg: int


def events(log: Path) -> list[Event]:
    records = struct.iter_unpack("<QBBHIQ", log.read_bytes()[16:])
    every = [Event(ns / 1000, kind, thread, arg) for ns, _, kind, thread, arg, _ in records]
    inside = [event for event in every if FROM < event.us < UNTIL]
    kept = [e for e in inside if e.kind in (DISPATCH, BLOCK, SLEEP, BEGINS, ENDS)]
    return sorted(kept, key=lambda event: event.us)


def ways_in(log: list[Event]) -> Iterator[tuple[float, float]]:
    """When the alarm's interrupt of loop 2 began, and what it took to loop 1."""
    for before, *later in zip(log, log[1:], log[2:], strict=False):
        if (before.kind, before.thread, before.arg) == (BEGINS, 2, TIMER1_A):
            for event in later:
                if (event.kind, event.thread) == (DISPATCH, 1):
                    yield before.us, event.us - before.us


def ways_out(log: list[Event]) -> Iterator[float]:
    """From a loop's call to loop 2."""
    for before, event in pairwise(log):
        slept = before.kind in (BLOCK, SLEEP) and before.thread in (1, 3)
        if slept and (event.kind, event.thread) == (DISPATCH, 2):
            yield event.us - before.us


def pauses(log: list[Event]) -> Iterator[float]:
    """For how long interrupts took loop 1's time, one directly behind the other."""
    begun, ended, running = None, 0.0, 0
    for event in log:
        if event.kind == DISPATCH:
            running, begun = event.thread, None
        elif running == 1 and event.thread == 1 and event.kind == BEGINS:
            if begun is None or event.us - ended > 2:
                begun = event.us
        elif running == 1 and event.kind == ENDS and begun is not None:
            ended = event.us
            yield ended - begun


def spread(instants: list[float]) -> float:
    """The latest against the earliest, of instants that should come at equal times."""
    late = [(us - instants[0] + PERIOD / 2) % PERIOD for us in instants]
    return max(late) - min(late)


@pytest.mark.parametrize("board", ["uno", "nano"])
def test_its_figures_are_those_of_the_event_log(board: str, tmp_path: Path) -> None:
    trace = tmp_path / "log.hklog"
    done = run_hocket("run", SKETCH, "--board", board, "--for", "11s", "--trace", trace)
    assert done.returncode == 0, done.stderr
    lines = {
        name: (float(seen), float(most), more)
        for name, seen, most, more in LINE.findall(done.stdout)
    }
    assert list(lines) == ["E+S", "S", "I", "L", "M"]
    assert all(seen <= most and not more for seen, most, more in lines.values())
    seen = {name: line[0] for name, line in lines.items()}
    log = events(trace)
    begun = list(ways_in(log))
    starts = [event.us for event in log if (event.kind, event.thread) == (DISPATCH, 1)]
    assert len(starts) > 200 and len(begun) > 150
    # What the sketch cannot leave out: a turn of its own, and the code around its readings.
    for name, longest, around in (
        ("E+S", max(took for _, took in begun), 30),
        ("S", max(ways_out(log)), 45),
        ("I", max(pauses(log)), 10),
    ):
        assert longest <= seen[name] + 0.5, name
        assert seen[name] <= longest + around, (name, longest)
    assert abs(seen["L"] - spread([us for us, _ in begun])) <= 8
    # (Between the switch to loop 1 and its first reading timer 2 may interrupt it.)
    assert spread(starts) - 3 <= seen["M"] <= spread(starts) + max(pauses(log)) + 3
