"""What of pin interrupts is the AArch64 kernel's own; what all boards have: test_interrupts.py."""

from __future__ import annotations

from pathlib import Path

from tests.interrupts import generators, interrupts, on, run

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
    assert 40 <= found[2]["delivered"] <= 51
    assert 95 <= found[10]["delivered"] <= 101


RESTART = """
HOCKET_ON_FAULT(RestartSketch)
volatile unsigned long calls;
void seen() { if (++calls == 20) *(volatile int*)(1L << 40) = 1; }
void setup() { attachInterruptVcpu(2, seen, RISING, 1, 10); }
void loop(1, 10, 100) { delay(1000); }
"""


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
