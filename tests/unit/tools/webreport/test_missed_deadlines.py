"""Which deadlines of a log were missed: in the timeline each of them is marked."""

from __future__ import annotations

from hocket.trace.eventlog import Event, EventKind, EventLog
from hocket.trace.states import RUNNING, timeline
from hocket.webreport.responses import LOOP, PERIODIC, jobs_of, missed

MS = 1_000_000


def log_of(kind: int, *events: tuple[int, EventKind]) -> EventLog:
    named = Event(0, 0, EventKind.NAMED, 1, 7, kind)
    return EventLog(1, [named, *(Event(at * MS, 0, what, 1, 0, 0) for at, what in events)])


def marks(log: EventLog, end: int) -> list[tuple[int, int]]:
    (jobs,) = jobs_of(log).values()
    return [(due // MS, done // MS) for due, done in missed(jobs, 8 * MS, 10 * MS, end * MS)]


RELEASE, DONE = EventKind.RELEASE, EventKind.ITERATION


def test_a_late_call_and_one_in_time() -> None:
    log = log_of(PERIODIC, (0, RELEASE), (8, DONE), (10, RELEASE), (19, DONE))
    assert marks(log, 30) == [(18, 19)]


def test_a_long_call_misses_the_deadlines_of_all_releases_that_it_runs_into() -> None:
    long = log_of(
        PERIODIC, (0, RELEASE), (10, RELEASE), (20, RELEASE), (25, DONE), (30, RELEASE), (31, DONE)
    )
    assert marks(long, 40) == [(8, 25), (18, 25), (28, 25)]


def test_a_call_without_an_end_misses_until_the_end() -> None:
    endless = log_of(PERIODIC, (0, RELEASE), (10, RELEASE), (20, RELEASE))
    assert marks(endless, 25) == [(8, 25), (18, 25)]


def test_a_loop_is_done_when_it_sleeps() -> None:
    log = log_of(
        LOOP, (0, RELEASE), (3, DONE), (9, EventKind.SLEEP), (20, RELEASE), (21, EventKind.SLEEP)
    )
    assert marks(log, 30) == [(8, 9)]


def test_the_next_time_slice_of_a_call_is_no_release() -> None:
    """A policy that shares time gives a call its slices; a thread alone keeps the core meanwhile."""
    slice_ends = (EventKind.EXHAUSTED, EventKind.REPLENISH, RELEASE)
    log = log_of(
        PERIODIC, (0, RELEASE), (0, EventKind.DISPATCH), *((4, what) for what in slice_ends), (9, DONE),
        (9, EventKind.SLEEP), (10, RELEASE), (11, DONE), (11, EventKind.SLEEP),
    )  # fmt: skip
    (jobs,) = jobs_of(log).values()
    assert jobs.all_releases == [0, 10 * MS]
    assert marks(log, 20) == [(8, 9)]
    spans = timeline(log).threads[1]
    running = sum(span.end - span.start for span in spans if span.what == RUNNING)
    assert running == 9 * MS
