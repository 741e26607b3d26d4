"""What the tools show of a run on the Uno: the report's figures and the event log."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form
from tests.uno.account import assert_budget_in_each_period

from hocket.trace.eventlog import Event, EventKind, EventLog, read_log
from hocket.trace.perfetto import to_perfetto
from hocket.trace.states import handlers, timeline
from hocket.trace.vcd import to_vcd

Run = Callable[..., Any]

SKETCHES = Path(__file__).parent / "sketches"


@pytest.fixture(name="logged")
def _logged(uno: Run, tmp_path: Path) -> Callable[..., tuple[Any, EventLog]]:
    """logged(text, duration): the outcome of a run and its event log."""

    def run(text: str, duration: str, *options: str | Path) -> tuple[Any, EventLog]:
        folder, file = tmp_path / "seen", tmp_path / "seen.hklog"
        folder.mkdir(exist_ok=True)
        (folder / "seen.ino").write_text(text)
        done = uno(folder, duration, "--trace", file, *options)
        assert done.status == 0, done.said
        return done, read_log(file)

    return run


def of(log: EventLog, kind: EventKind, thread: int) -> list[Event]:
    return [event for event in log.events if (event.kind, event.thread) == (kind, thread)]


TEXT = """\
volatile unsigned sink;
void setup() { Serial.begin(115200); }
void loop(1, 30, 100) { sink++; }
void periodic(2, 5, 50) { delayMicroseconds(2000); Serial.println("p"); }
void loop(3, 5, 100) { delay(20); }
"""


def test_the_report_counts_what_the_log_shows(logged: Callable[..., Any]) -> None:
    done, log = logged(TEXT, "1090ms")
    spins, periodic, rests = done.report["loops"]
    counters = done.report["counters"]
    assert log.thread_names() == {0: "setup", 1: "loop 1", 2: "periodic 2", 3: "loop 3"}
    assert len(of(log, EventKind.EXHAUSTED, 1)) == spins["budget_exhausted"] == 11
    assert len(of(log, EventKind.RELEASE, 1)) == spins["releases"] == 12
    assert len(of(log, EventKind.SLEEP, 3)) - 1 == rests["iterations"] + 1
    assert periodic["releases"] == periodic["iterations"] == 22
    dispatches = [e for e in log.events if e.kind == EventKind.DISPATCH]
    assert len(dispatches) - 2 == counters["thread_switches"]  # setup, and the end of it
    sleeps = [e for e in log.events if e.kind == EventKind.SLEEP]
    assert len(sleeps) - 3 == counters["sleeps"]  # each loop sleeps once before its start
    timer = [e for e in log.events if e.kind == EventKind.TIMER]
    assert len(timer) == counters["timer_interrupts"] > 50
    assert counters["preemptions"] > 5  # the periodic one comes while loop 1 runs
    for loop in done.report["loops"]:
        assert loop["deadline_misses"] == 0
        assert 0 < loop["max_response_us"] <= loop["response_bound_us"]


@long_form
def test_the_log_says_when_things_are(logged: Callable[..., Any]) -> None:
    """Releases of a loop that spins are a period apart; its spans sum to its time."""
    done, log = logged(TEXT, "1090ms")
    releases = [event.value for event in of(log, EventKind.RELEASE, 1)]
    later = [release - releases[0] - k * 100_000_000 for k, release in enumerate(releases)]
    # (What the timer's interrupt finds used beyond the budget is used up of the next one: a tick.)
    assert all(0 <= late <= 20_000 for late in later), later
    line = timeline(log)
    ran = sum(span.end - span.start for span in line.cores[0] if span.thread == 1)
    assert ran / 1000 == pytest.approx(done.report["loops"][0]["cpu_us"], abs=200)
    assert {span.what for span in line.threads[1]} == {"running", "ready", "throttled", "sleeping"}


def test_handlers_are_in_the_log(logged: Callable[..., Any]) -> None:
    _, log = logged(TEXT, "300ms")
    spans = handlers(log)[0]
    names = {span.what for span in spans}
    assert {"TIMER1_A", "TIMER1_O", "USART_DE"} <= names
    overflows = [span for span in spans if span.what == "TIMER1_O"]
    gaps = [after.start - before.start for before, after in pairwise(overflows)]
    assert gaps == [pytest.approx(32_768_000, abs=300_000)] * 8
    # A byte's handler ends soon; one that switches ends there.
    assert all(0 < span.end - span.start < 300_000 for span in spans)
    assert b"core0_handler" in to_vcd(log)
    assert b"TIMER1_A" in to_perfetto(log)


def test_a_plain_sketch_has_a_log_too(logged: Callable[..., Any]) -> None:
    done, log = logged("void setup() { delay(3); }\nvoid loop() { delay(10); }\n", "100ms")
    (plain,) = done.report["loops"]
    assert plain["iterations"] == len(of(log, EventKind.ITERATION, 1)) == 9
    assert plain["cpu_us"] == pytest.approx(97_000, abs=200)
    assert 0 < plain["stack_used"] < plain["stack_size"]
    for fact in ("budget_exhausted", "releases", "deadline_misses", "max_response_us"):
        assert plain[fact] is None  # nothing schedules it


@long_form
def test_a_plain_loop_beside_declared_ones(logged: Callable[..., Any]) -> None:
    text = "volatile unsigned sink;\nvoid setup() {}\nvoid loop() { sink++; }\n"
    done, _ = logged(text + "void loop(1, 5, 100) { sink++; }\n", "1099ms")
    plain, other = done.report["loops"]
    assert plain["stack_size"] == 192
    for loop in (plain, other):
        assert loop["budget_exhausted"] == 11
        assert_budget_in_each_period(done.report, loop)


@long_form
def test_an_overrun_of_a_periodic_loop_is_a_miss(logged: Callable[..., Any]) -> None:
    """15 ms of work in every 10: each call is late, and each runs into a release that is skipped."""
    done, _ = logged(
        "void setup() {}\n"
        "void periodic(1, 8, 10) { for (int i = 0; i < 150; i++) delayMicroseconds(100); }\n",
        "1s",
    )
    (loop,) = done.report["loops"]
    assert loop["deadline_misses"] >= 60
    assert loop["max_response_us"] > 15_000
    assert loop["iterations"] < loop["releases"]
    assert loop["releases"] == pytest.approx(100, abs=2)


@long_form
def test_a_loop_that_wakes_every_millisecond_does_so_for_ever(logged: Callable[..., Any]) -> None:
    """The kernel's clock overflows every 33 ms, often while it sets an alarm: none may be lost.

    (The budgets pay for each wake-up; with 30 and 10 ms, and lists of three refills, it is half of them.)"""
    text = "void setup() {}\nvoid loop(1, 60, 100) { delay(1); }\nvoid loop(2, 35, 100) { delay(3); }\n"
    done, _ = logged(text, "10s")
    first, second = done.report["loops"]
    assert first["iterations"] >= 8_350
    assert second["iterations"] >= 3_100
    assert first["max_response_us"] < 100_000 / 32  # what it used comes back so much later (rule 7)


def test_the_world_reaches_a_sleeping_processor(logged: Callable[..., Any], tmp_path: Path) -> None:
    """Edges come when they come, not when the kernel's clock wakes the processor."""
    scenario = tmp_path / "edges.yaml"
    scenario.write_text("parts:\n  edges: {type: generator, pin: 2, frequency: 1 kHz}\n")
    text = "volatile unsigned n;\nvoid edge() { n++; }\nvoid loop(1, 5, 100) { delay(100); }\n"
    text += "void setup() { attachInterrupt(0, edge, RISING); }\n"
    _, log = logged(text, "200ms", "--scenario", scenario)
    edges = [span.start for span in handlers(log)[0] if span.what == "INT0"]
    assert len(edges) >= 198
    gaps = [after - before for before, after in pairwise(edges)]
    assert sum(abs(gap - 1_000_000) < 1_000 for gap in gaps) >= 190  # some wait for the kernel


@long_form
def test_the_same_run_has_the_same_log(uno: Run, tmp_path: Path) -> None:
    files = [tmp_path / "a.hklog", tmp_path / "b.hklog"]
    for file in files:
        uno(SKETCHES / "echo", "300ms", "--trace", file)
    assert files[0].read_bytes() == files[1].read_bytes()
