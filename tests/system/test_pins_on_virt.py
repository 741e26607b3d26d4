"""What of pin interrupts is the AArch64 kernel's own; what all boards have: test_interrupts.py."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import long_form
from tests.interrupts import (
    check_edges_took_nothing,
    generators,
    interrupts,
    loop,
    on,
    run,
    work,
    work_took,
)

VIRT = on("virt")


NINE = """
volatile unsigned long calls;
void seen() { ++calls; }
void setup() { for (int pin = 2; pin <= 10; ++pin) attachInterrupt(pin, seen, RISING); }
void loop(1, 10, 100) { delay(50); detachInterrupt(2); attachInterrupt(10, seen, RISING); delay(100000); }
"""


def test_eight_pins_have_a_line_at_once(tmp_path: Path) -> None:
    _, said, report = run(
        tmp_path, "nine", NINE, generators(range(2, 11), "frequency: 1 kHz"), "151ms", *VIRT
    )
    found = interrupts(report)
    assert "pin 10, which has no interrupt" in " ".join(report["notices"]), said
    assert sorted(found) == list(range(2, 11))  # the tenth has one from 50 ms on
    for pin in range(3, 10):
        assert found[pin]["delivered"] == found[pin]["edges"] > 140
    # Up to 50 ms after the release. That is not 1 ms after setup(), as the handlers' loop (1 ms in 10) and
    # their I/O virtual CPU (0.5 ms in 10, once more in each window) may come before all loops are started.
    assert 51 <= found[2]["delivered"] <= 50 + 3
    assert 95 <= found[10]["delivered"] <= 101


RESTART = """
HOCKET_ON_FAULT(RestartSketch)
volatile unsigned long calls;
void seen() { if (++calls == 20) *(volatile int*)(1L << 40) = 1; }
void setup() { attachInterruptVcpu(2, seen, RISING, 1, 10); }
void loop(1, 10, 100) { delay(1000); }
"""


@long_form
def test_a_restarted_sketch_has_its_interrupts_again(tmp_path: Path) -> None:
    scenario = generators([2], "frequency: 1 kHz")
    status, said, report = run(tmp_path, "restart", RESTART, scenario, "70ms", *VIRT)
    assert status == 1, said
    assert len(report["faults"]) == 3  # after each 20 edges, the run ends in the fourth time
    (entry,) = interrupts(report).values()
    assert 3 <= entry["delivered"] <= 15


ONLY_SECTIONS = "void setup() {}\nvoid loop(1, 10, 100) { noInterrupts(); }\n"


def test_a_sketch_without_handlers_has_a_kernel_without_them(tmp_path: Path) -> None:
    status, _, report = run(
        tmp_path, "none", ONLY_SECTIONS, generators([2], "frequency: 1 kHz"), "50ms", *VIRT
    )
    assert status == 0
    assert report["interrupts"] == []
    assert report["counters"]["pin_interrupts"] is None


DEVICE_CALLS = """
void tick() {}
void setup() { Serial.begin(115200); pinMode(8, OUTPUT); attachInterrupt(2, tick, RISING); }
void loop(1, 50, 100) { digitalWrite(8, HIGH); digitalWrite(8, LOW); Serial.available(); }
"""


@long_form
@pytest.mark.parametrize("frequency", [pytest.param("1 kHz", marks=long_form), "500 kHz"])
def test_the_generator_of_edges_never_sets_the_clock_back(tmp_path: Path, frequency: str) -> None:
    """The peer refuses a request that comes before another one in board time."""
    scenario = generators([2], f"frequency: {frequency}")
    status, said, report = run(tmp_path, "calls", DEVICE_CALLS, scenario, "30ms", *VIRT)
    assert status == 0, said
    assert loop(report, 1)["iterations"] > 500


@long_form
@pytest.mark.parametrize(
    "text",
    [work(5_000_000), work(500_000, "hocket::sys::pin_count()")],
    ids=["in the sketch", "in calls"],
)
def test_the_generator_of_edges_takes_no_time(tmp_path: Path, text: str) -> None:
    took = {}
    for start in ("1 ms", "90 ms"):
        scenario = generators([2], f"frequency: 50 kHz, start: {start}")
        status, said, _ = run(tmp_path, "work", text, scenario, "80ms", *VIRT)
        assert status == 0, said
        took[start] = work_took(said)
    check_edges_took_nothing(took["1 ms"], took["90 ms"], 0.1)


# On several cores, which have one clock in the emulator: a handler's time has the other cores' work in it.
CROWDED = """
volatile unsigned long calls;
void seen() { if (++calls == LAST) for (;;) {} }
void setup() { attachInterruptDirect(2, seen, CHANGE, 5us, 100us); }
void loop(1, 90, 100, onCore(1)) { static volatile unsigned long rounds; ++rounds; }
void loop(2, 10, 100) { static volatile unsigned long rounds; ++rounds; }
"""


@long_form
@pytest.mark.parametrize("last", [pytest.param(0, marks=long_form), 20])
def test_a_short_direct_handler_is_not_ended_for_other_cores_work(
    tmp_path: Path, last: int
) -> None:
    """…and one that never ends is."""
    text = CROWDED.replace("LAST", str(last))
    scenario = generators([2], "frequency: 1 kHz")
    status, said, report = run(tmp_path, "crowded", text, scenario, "300ms", *on("virt", 2))
    assert status == 0, said
    (entry,) = interrupts(report).values()
    ended = "longer than it declared" in said or "is detached" in said
    assert (entry["delivered"], ended) == ((entry["edges"], False) if last == 0 else (20, True))


# Victims above the handler, between it and its I/O virtual CPU, and below both: units of their own work.
BUDGETS = """
volatile unsigned long calls, units[4];
void seen() { ++calls; for (volatile int i = 0; i < 50; ++i) {} }
void setup() { attachInterruptVcpu(2, seen, RISING, 500us, 10); }
void loop(1, 500us, 5) { ++units[1]; }
void loop(2, 3, 12) { ++units[2]; }
void loop(3, 30, 100) { ++units[3]; }
"""


def test_edges_that_come_to_their_handler_at_once_are_paid_by_it(tmp_path: Path) -> None:
    """However many there are: with and without an event log, which makes each take the way through the bottom
    half. All loops compute all the time, so each gets just what it has been promised, or what is left."""
    scenario = generators([2], "gaps: {shortest: 3 us, longest: 90 us}")
    shares = {}
    for options in ((), ("--trace", str(tmp_path / "trace"))):
        status, said, report = run(tmp_path, "paid", BUDGETS, scenario, "301ms", *VIRT, *options)
        assert status == 0, said
        (entry,) = interrupts(report).values()
        assert entry["edges"] == entry["delivered"] + entry["pending"] + entry["lost"]
        for number, budget in {1: 500, 2: 3_000, 3: 30_000}.items():
            victim = loop(report, number)
            assert victim["deadline_misses"] == 0
            assert victim["min_cpu_per_period_us"] >= budget
            assert victim["max_response_us"] <= victim["response_bound_us"]
        costs = report["overheads"]
        each = costs["interrupt_entry_us"] + costs["context_switch_us"]
        of_handler, of_io = (500 + 4 * each) / each, (1_000 + 6 * each) / each
        assert report["counters"]["pin_interrupts"] <= 31 * (of_handler + of_io)
        shares[bool(options)] = loop(report, 3)["iterations"]
        if not options:
            assert entry["delivered"] > 1_000
    assert shares[False] >= 0.98 * shares[True]


def test_an_edge_at_once_is_measured_until_its_handler_goes_on(tmp_path: Path) -> None:
    scenario = generators([2], "frequency: 250 Hz")
    delays = []
    for options in ((), ("--trace", str(tmp_path / "trace"))):
        text = BUDGETS.replace("loop(1, 500us, 5)", "loop(1, 500us, 15)")
        status, said, report = run(tmp_path, "once", text, scenario, "301ms", *VIRT, *options)
        assert status == 0, said
        (entry,) = interrupts(report).values()
        assert entry["delivered"] == entry["edges"] >= 74
        assert report["counters"]["pin_interrupts"] == entry["edges"]
        delays.append(entry["max_delay_us"])
    assert 0.3 < delays[0] < delays[1], delays
