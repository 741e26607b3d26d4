"""Handlers of pins in the midst of the kernel's sections: a section lasts no longer for them, and what they
take is not the time of the loop whose turn they are in."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.uno.conftest import Report, Run

TWO_LOOPS = """
{include}
volatile int n;
void seen() {{ {body} }}
void setup() {{ {limit} attachInterrupt(digitalPinToInterrupt({pin}), seen, RISING); }}
void loop(1, {first}) {{ for (;;) ; }}
void loop(2, {second}) {{ for (;;) ; }}
"""
OWN_LIMIT = ("interruptsVcpu(10ms, 50ms);", "1500us, 100ms", "1500us, 80ms")
BOARDS_LIMIT = ("", "2ms, 10ms", "2ms, 8ms")


def run_beside(
    uno: Run, folder: Path, text: str, edges: dict[int, tuple[str, int]], duration: str = "500ms"
) -> Report:
    """Edges by pin: how often, and from which microsecond on."""
    folder.mkdir()
    (folder / f"{folder.name}.ino").write_text(text)
    parts = [
        f"  g{pin}: {{type: generator, pin: {pin}, frequency: {rate}, start: {start} us}}\n"
        for pin, (rate, start) in edges.items()
    ]
    (folder / "scenario.yaml").write_text("parts:\n" + "".join(parts))
    done = uno(folder, duration)
    assert done.status == 0, done.said
    return done.report


# Each rate meets the ends of sections in its own way. Where the kernel looked again after each handler, one
# took 433 us beside 55 kHz, and up to 3.9 ms where handlers may take 10 ms in 50.
@pytest.mark.parametrize(("rate", "pin", "own"), [(55, 2, False), (70, 2, True), (31, 8, False)])
def test_a_section_is_no_longer_for_a_storm(
    uno: Run, tmp_path: Path, rate: int, pin: int, own: bool
) -> None:
    limit, first, second = OWN_LIMIT if own else BOARDS_LIMIT
    text = TWO_LOOPS.format(
        include="", body="n = n + 1;", pin=pin, limit=limit, first=first, second=second
    )
    report = run_beside(uno, tmp_path / "storm", text, {pin: (f"{rate} kHz", 0)})
    assert report["overheads"]["exceeded"] == []
    for loop in report["loops"]:
        assert loop["min_cpu_per_period_us"] >= loop["budget_us"]


@pytest.mark.parametrize("rate", [20, 50])
def test_what_is_kept_already_is_not_recorded_again(uno: Run, tmp_path: Path, rate: int) -> None:
    """A handler that unparks a loop which does not wait: the kernel has nothing to do for it. (It looked each
    time: of 2 ms the interrupted loop got 1.74.)"""
    text = TWO_LOOPS.format(
        include='#include "arduino/runtime/system.h"',
        body="hocket::sys::unpark(1);",
        pin=2,
        limit="",
        first="2ms, 10ms",
        second="2ms, 8ms",
    )
    report = run_beside(uno, tmp_path / "unparks", text, {2: (f"{rate} kHz", 0)})
    assert report["overheads"]["exceeded"] == []
    for loop in report["loops"]:
        assert loop["min_cpu_per_period_us"] >= loop["budget_us"]


AFTER_A_WAKE_UP = """
#include "hocket/Semaphore.h"
Semaphore edges(0);
void gives() { edges.v(); }
void works() { delayMicroseconds(265); }
void setup() {
  interruptsVcpu(2ms, 10ms);
  attachInterrupt(digitalPinToInterrupt(2), gives, RISING);
  attachInterrupt(digitalPinToInterrupt(3), works, RISING);
}
void loop(1, 2ms, 20ms) { edges.p(); }
void loop(2, 12ms, 30ms) { for (;;) ; }
"""


@pytest.mark.parametrize("behind", range(16, 30, 3))
def test_a_handler_before_the_section_reads_the_clock_is_not_the_loops_time(
    uno: Run, tmp_path: Path, behind: int
) -> None:
    """A handler wakes a loop; another one comes before the kernel has read the clock, so it is in the turn of
    the loop that both have interrupted. That was charged with it: 11.6 ms of 12 were left, where the second
    edge came 22 to 26 us behind the first."""
    edges = {2: ("487 Hz", 10_000), 3: ("487 Hz", 10_000 + behind)}
    report = run_beside(uno, tmp_path / "pair", AFTER_A_WAKE_UP, edges, "300ms")
    loop = report["loops"][1]
    assert loop["min_cpu_per_period_us"] >= loop["budget_us"]
    assert report["overheads"]["exceeded"] == []


MASKED = """
void setup() {}
void loop(1, 5ms, 20ms) { noInterrupts(); delay(1); delayMicroseconds(400); interrupts(); delay(3); }
void loop(2, 5ms, 20ms) { for (;;) ; }
"""


def test_what_a_loop_does_in_its_section_is_no_cost_of_the_kernel(uno: Run, tmp_path: Path) -> None:
    """Interrupts stay masked when delay() returns: the kernel's switch has ended there, and neither the next
    interrupt's entry nor the loop's own 400 us are a part of it."""
    (tmp_path / "masked").mkdir()
    (tmp_path / "masked" / "masked.ino").write_text(MASKED)
    overheads = uno(tmp_path / "masked", "300ms").report["overheads"]
    assert overheads["longest_masked_seen_us"] > 400
    seen = overheads["kernel_seen"]
    assert seen["context_switch_us"] < overheads["context_switch_us"]
    assert seen["longest_masked_us"] < overheads["longest_masked_us"]
    assert overheads["exceeded"] == ["longest_masked_us"]  # the sketch's own
