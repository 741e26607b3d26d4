"""Periodic loops keep their rhythm; clocks go round and sleeps last as long as they should."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import one_in

from hocket.trace.eventlog import EventKind, EventLog, read_log

Report = dict[str, Any]
Run = Callable[..., tuple[int, str, Report]]
Broken = Callable[..., list[str]]

MS = 1_000_000


def releases(log: EventLog, loop: str) -> list[int]:
    """The instants at which the loop was released, in nanoseconds."""
    (thread,) = [number for number, name in log.thread_names().items() if name == loop]
    found = (e for e in log.events if e.kind == EventKind.RELEASE and e.thread == thread)
    return [event.time_ns for event in found]


@one_in(2)
@pytest.mark.parametrize(("board", "seconds"), [("sim", 60), ("virt", 1)])
def test_periods_begin_without_drift_and_overruns_are_skipped(
    run: Run, broken: Broken, tmp_path: Path, board: str, seconds: int
) -> None:
    file = tmp_path / "log.hklog"
    status, _, report = run("periods", seconds, options=("--log", str(file)), board=board)
    assert status == 0
    assert broken(report, spinning={3}, unruly={2}) == []
    log = read_log(file)

    names = sorted(name for name in log.thread_names().values() if name.startswith("periodic"))
    assert len(names) == 2
    punctual = releases(log, names[0])
    assert len(punctual) >= 100 * seconds - 1
    assert {after - before for before, after in pairwise(punctual)} == {10 * MS}

    # Each tenth call takes 25 ms of its 10: it is late, two releases are skipped, none comes early.
    # (It can also run on after the wait inside such a call: that is 25 ms after a release.)
    late = releases(log, names[1])
    late = [instant for instant in late if (instant - late[0]) % (10 * MS) == 0]
    gaps = [after - before for before, after in pairwise(late)]
    overruns = gaps.count(30 * MS)
    assert overruns == len(gaps) - gaps.count(10 * MS)
    first, second, _ = report["loops"]
    assert (first["deadline_misses"], first["iterations"]) == (0, first["releases"])
    assert second["iterations"] // 10 in (overruns, overruns + 1)
    assert second["deadline_misses"] == 3 * (second["iterations"] // 10)
    assert second["releases"] - second["iterations"] == 2 * (second["iterations"] // 10)


def test_a_loop_that_never_waits_does_not_fill_the_log(run: Run, tmp_path: Path) -> None:
    text = "void setup() {}\nvolatile long n;\nvoid loop(1, 90, 100) { n = n + 1; }\n"
    file = tmp_path / "log.hklog"
    _, _, report = run("restless", 1, text, options=("--log", str(file)))
    assert report["loops"][0]["iterations"] > 1_000_000
    done = [e for e in read_log(file).events if e.kind == EventKind.ITERATION]
    assert 9 <= len(done) <= 10_000  # one in 100 us at most


def test_clocks_go_round_as_they_should(run: Run) -> None:
    status, text, report = run("long-sleep", 1200 * 3600)
    assert (status, report["duration_us"]) == (0, 1200 * 3600 * 10**6)
    (line,) = text.splitlines()
    found = re.fullmatch(r"millis went round, micros (\d+) times; minute took (\d+)", line.strip())
    assert found
    assert int(found[1]) == 2**32 // (2**32 // 1000)  # 49.7 days in turns of 71.6 minutes
    assert 60_000 <= int(found[2]) <= 60_001


def test_a_century_passes_quickly(run: Run) -> None:
    text = """\
void setup() { Serial.begin(115200); }
void loop() {
  for (int year = 0; year < 100; year++) {
    for (int day = 0; day < 365; day += 5) delay(5ul * 86400 * 1000);
  }
  Serial.println(millis());
}
"""
    century = 100 * 365 * 86_400
    status, said, report = run("century", century + 60, text)
    assert (status, report["end"]) == (0, "time")
    # 7,300 waits, each of which began a few microseconds after the one before had ended.
    assert 0 <= int(said) - (century * 1000) % 2**32 <= 73
    assert report["loops"][0]["deadline_misses"] == 0
