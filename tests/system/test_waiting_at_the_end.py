"""An edge that still waits as a run ends has waited that long: `max_delay_us` of sim and virt says so.

Each sketch keeps the one edge of pin 2 waiting somewhere else: behind a loop, in a row while a section holds
handlers back, in the detector of the pin. Runs that end while it waits, and one that ends after its call.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import except_virt
from tests.interrupts import interrupts, on, run

BEHIND_A_LOOP = """
void edge() {}
void setup() { attachInterruptVcpu(2, edge, RISING, 500us, 60ms); }
void loop(1, 30ms, 50ms) { delay(101 - millis()); for (;;) {} }
"""
IN_A_SECTION = """
HOCKET_LONGEST_SECTION(40ms)
void edge() {}
void setup() { attachInterruptVcpu(2, edge, RISING, 500us, 60ms); }
void loop(1, 1ms, 10ms) { delay(91 - millis()); noInterrupts(); delay(30); interrupts(); delay(10000); }
"""
DIRECT_IN_A_SECTION = IN_A_SECTION.replace("Vcpu(2, edge, RISING,", "Direct(2, edge, RISING,")
# Edges of pin 3 have used up the budget of what takes edges from the pins. (On virt a handler that can run at
# once needs none of that.)
NOT_TAKEN = """
void edge() {}
void setup() {
  interruptsVcpu(300us, 100ms);
  attachInterruptVcpu(2, edge, RISING, 500us, 60ms);
  attachInterruptVcpu(3, edge, RISING, 500us, 60ms);
}
void loop(1, 1ms, 10ms) { delay(1000); }
"""
STORM = "  s: {type: generator, pin: 3, start: 50 ms, frequency: 100 kHz}\n"
# Nothing is delivered, as the sketch asks: no bound is for that.
OFF = NOT_TAKEN.replace(
    "void loop", "void stop() { interruptsVcpu(0, 100ms); }\nvoid loop"
).replace("{ delay(1000); }", "{ stop(); delay(1000); }")
WAITS = {
    "behind a loop": (BEHIND_A_LOOP, ""),
    "in a section": (IN_A_SECTION, ""),
    "direct, in a section": (DIRECT_IN_A_SECTION, ""),
    "not taken": (NOT_TAKEN, STORM),
}
CAME = 105_000


def delay_at(tmp_path: Path, board: str, sketch: str, parts: str, end: int) -> tuple[bool, float]:
    """Whether the edge had been delivered by then (us), and its delay."""
    scenario = (
        f"parts:\n  a: {{type: generator, pin: 2, start: {CAME} us, count: 1, frequency: 1 Hz}}\n"
    )
    status, said, report = run(
        tmp_path, "at-the-end", sketch, scenario + parts, f"{end}us", *on(board)
    )
    assert status == 0, said
    entry = interrupts(report)[2]
    assert entry["edges"] == 1, "the run ends after the edge"
    assert entry["max_delay_us"] <= entry["delay_bound_us"]
    return entry["delivered"] == 1, entry["max_delay_us"]


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
@pytest.mark.parametrize("where", WAITS)
def test_an_edge_that_still_waits_counts(tmp_path: Path, board: str, where: str) -> None:
    if board == "virt" and where == "not taken":
        return
    sketch, parts = WAITS[where]
    for waited in (1_000, 7_000):
        delivered, delay = delay_at(tmp_path, board, sketch, parts, CAME + waited)
        assert not delivered
        assert delay == pytest.approx(waited, abs=60)
    delivered, delay = delay_at(tmp_path, board, sketch, parts, CAME + 150_000)
    assert delivered
    assert delay > 7_000


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_an_edge_that_the_sketch_does_not_want_delivered_does_not(
    tmp_path: Path, board: str
) -> None:
    delivered, delay = delay_at(tmp_path, board, OFF, "", CAME + 7_000)
    assert (delivered, delay) == (False, 0)
