"""Handlers of pins above another system (above.py), which checks its registers and works all the time: their
accounts, their delays, and what the generator of edges takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.beside.above import Above
from tests.campaign import long_form, one_in
from tests.interrupts import (
    TURNS,
    check_edges_took_nothing,
    check_halves,
    declared_halves,
    generators,
    interrupts,
    loop,
    work,
    work_took,
)

from hocket.linux.repeated import repeated

# One handler for each way; loops that have work all the time, and one that is woken.
HANDLERS = """
volatile unsigned long direct, vcpu, io, other_direct;
double sum = 0;
void short_one() { ++direct; }
void with_numbers() { sum += 0.5; ++vcpu; }
void plain() { ++io; }
void calls() { ++other_direct; digitalWrite(13, other_direct & 1); }
void setup() {
  Serial.begin(115200);
  pinMode(13, OUTPUT);
  attachInterruptDirect(2, short_one, RISING, 5us, 400us);
  attachInterruptVcpu(3, with_numbers, CHANGE, 100us, 1ms);
  attachInterrupt(4, plain, FALLING);
  attachInterruptDirect(5, calls, RISING, 20us, 900us);
}
void loop(1, 30, 100) { static volatile unsigned long rounds; ++rounds; }
void loop(2, 1, 50) { static double n = 0; n += 0.25; Serial.println(n); delay(20); }
"""
PINS = """parts:
  fast: {type: generator, pin: 2, frequency: 1 kHz}
  both: {type: generator, pin: 3, frequency: 500 Hz, phase: 30 %}
  slow: {type: generator, pin: 4, frequency: 200 Hz}
  more: {type: generator, pin: 5, frequency: 333 Hz}
"""


@pytest.mark.parametrize("cores", [1, pytest.param(4, marks=long_form)])
def test_every_edge_is_delivered_in_time(above: Above, cores: int) -> None:
    ran = above.run("handlers", HANDLERS, cores, 300, PINS)
    assert ran.status == 0, ran.errors
    report = ran.report
    found = interrupts(report)
    assert sorted(found) == [2, 3, 4, 5]
    for pin, least in ((2, 290), (3, 290), (4, 55), (5, 93)):
        entry = found[pin]
        assert entry["lost"] == 0, entry
        assert entry["delivered"] >= least, entry
        assert entry["max_delay_us"] <= entry["delay_bound_us"], entry
    assert loop(report, 1)["deadline_misses"] == 0
    assert loop(report, 1)["min_cpu_per_period_us"] >= 30_000
    assert report["faults"] == []
    assert report["beside"]["state"] == "running"
    assert report["beside"]["restarts"] == 0


@long_form
def test_two_runs_are_the_same(above: Above) -> None:
    """…but where the emulator's clock has been moved too far (hocket.linux.repeated)."""
    assert repeated(lambda: above.run("handlers", HANDLERS, 1, 100, PINS)).status == 0


# A direct handler that is wrong while the other system runs, or a loop.
WRONG = """
volatile unsigned long seen, work;
void wrong() { if (++seen == 5) WRONG; }
void setup() { attachInterruptDirect(2, wrong, RISING, 20us, 1ms); }
void loop(1, 5, 10) { ++work; }
"""
WRONGS = {
    "a bad access": "*(volatile int*)(1L << 40) = 1",
    "an endless loop": "for (;;) {}",
    "an instruction that is not its own": 'asm volatile("smc #0")',
}


@one_in(9)
@pytest.mark.parametrize("wrong", WRONGS)
@pytest.mark.parametrize("frequency", ["500 Hz", pytest.param("710 Hz", marks=long_form)])
def test_a_direct_handler_that_is_wrong_stops_alone(
    above: Above, wrong: str, frequency: str
) -> None:
    text = WRONG.replace("WRONG", WRONGS[wrong])
    ran = above.run("wrong", text, 1, 200, generators([2], f"frequency: {frequency}"))
    (entry,) = interrupts(ran.report).values()
    assert entry["delivered"] == 5, (entry, ran.errors)
    assert loop(ran.report, 1)["deadline_misses"] == 0
    assert loop(ran.report, 1)["min_cpu_per_period_us"] >= 5_000
    assert ran.report["beside"]["restarts"] == 0


# A handler that calls the kernel, in the middle of everything that a loop does on its way there.
UNDERWAY = """
volatile unsigned long handled;
volatile unsigned long seen = 0;
void calls() { handled += hocket::sys::pin_count(); }
void setup() {
  Serial.begin(115200);
  attachInterruptDirect(2, calls, RISING, 5us, 50us);
}
void loop(1, 60, 100) {
  const unsigned pins = hocket::sys::pin_count();
  for (unsigned n = 0; n < 400000; ++n) if (hocket::sys::pin_count() != pins) Serial.println("wrong");
  Serial.println(pins);
  delay(1000);
}
"""


@long_form
def test_a_call_that_a_direct_handler_interrupts_goes_on(above: Above) -> None:
    ran = above.run("underway", UNDERWAY, 1, 95, generators([2], "frequency: 19.21 kHz"))
    assert ran.said.split() == ["70"], (ran.said, ran.errors)
    assert ran.report["faults"] == []
    (entry,) = interrupts(ran.report).values()
    assert entry["delivered"] > 1_500
    assert ran.report["beside"]["restarts"] == 0


SEVEN = """
volatile unsigned long calls;
void seen() { ++calls; }
void setup() { for (int pin = 2; pin <= 8; ++pin) attachInterrupt(pin, seen, RISING); }
void loop(1, 10, 100) { delay(50); }
"""


@long_form
def test_six_pins_have_a_line_at_once(above: Above) -> None:
    """The board's power hangs on the other two."""
    ran = above.run("seven", SEVEN, 1, 151, generators(range(2, 9), "frequency: 1 kHz"))
    assert "pin 8, which has no interrupt" in " ".join(ran.report["notices"])
    assert "0 to 69 may have, six of them at once" in " ".join(ran.report["notices"])
    found = interrupts(ran.report)
    assert sorted(found) == list(range(2, 8))
    for entry in found.values():
        assert entry["delivered"] == entry["edges"] > 140


@long_form
def test_halves_take_no_longer_than_declared(above: Above, tmp_path: Path) -> None:
    top, bottom = declared_halves(Path("boards/virt/beside/peer_pins.h"))
    log = tmp_path / "turns.hklog"
    scenario = generators(range(2, 8), "frequency: 250 Hz, start: 50 ms")
    ran = above.run("turns", TURNS, 1, 1000, scenario, log)
    assert len(interrupts(ran.report)) == 6, ran.errors
    check_halves(log, ran.report, 2_000_000, top, bottom)


# As in tests/system/test_pins_on_virt.py.
@long_form
@pytest.mark.parametrize("often", ["47.1", pytest.param("50", marks=long_form)])
@pytest.mark.parametrize(
    "text",
    [work(5_000_000), work(400_000, "hocket::sys::pin_count()")],
    ids=["in the sketch", "in calls"],
)
def test_the_generator_of_edges_takes_no_time(above: Above, text: str, often: str) -> None:
    took = {}
    for start in ("1 ms", "90 ms"):
        ran = above.run(
            "work", text, 1, 80, generators([2], f"frequency: {often} kHz, start: {start}")
        )
        assert ran.status == 0, ran.errors
        took[start] = work_took(ran.said)
    check_edges_took_nothing(took["1 ms"], took["90 ms"], 2 * float(often) / 1000)
