"""Every deadline that has passed is counted on the Uno, too: of calls that have not ended, and of loops that
interrupts kept from running."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.sketches import kept

Run = Callable[..., Any]
Report = dict[str, Any]

ENDLESS = """
void setup() {}
void periodic(1, 10, 100) { for (;;) {} }
void loop(2, 10, 100) { for (;;) {} }
"""
LATE_ONCE = """
unsigned calls;
void setup() { Serial.begin(115200); }
void periodic(1, 1, 10) {
  if (++calls == 1) delay(@);
  else if (calls == 2) { Serial.print((long)(millis() - @)); Serial.println(); }
}
"""
# A handler of some 200 us, 10,000 times a second from a second on: it takes the whole processor.
STORM = """
volatile unsigned n;
void edge() { for (byte i = 0; i < 250; ++i) n++; }
void setup() { pinMode(2, INPUT); attachInterrupt(digitalPinToInterrupt(2), edge, RISING); }
void periodic(1, 5, 50) { n++; }
void loop(2, 10, 100) { delay(20); n++; }
void loop(3, 10, 100) { for (;;) n++; }
"""


def loops_of(report: Report) -> dict[int, Report]:
    return {loop["id"]: loop for loop in report["loops"]}


def test_a_call_that_never_ends_misses_all_its_deadlines(uno: Run) -> None:
    done = uno(kept("endless", ENDLESS), "5050ms")
    loops = loops_of(done.report)
    assert (loops[1]["releases"], loops[1]["deadline_misses"]) == (51, 50)
    assert 5_000_000 <= loops[1]["max_response_us"] <= 5_050_000
    assert loops[2]["deadline_misses"] == 0


@pytest.mark.parametrize(("late", "skipped"), [(1005, 100), (3_600_005, 360_000)])
def test_missed_releases_take_no_time_to_skip(uno: Run, late: int, skipped: int) -> None:
    """An hour is more than the kernel's instants have an order for; the next call comes on time."""
    done = uno(kept("late", LATE_ONCE.replace("@", str(late))), f"{late + 90}ms")
    assert done.status == 0, done.said
    assert 0 <= int(done.serial.split()[0]) <= 9
    loop = loops_of(done.report)[1]
    assert loop["deadline_misses"] == skipped + 1
    assert skipped + 8 <= loop["releases"] <= skipped + 10
    assert loop["iterations"] == loop["releases"] - skipped


@pytest.mark.parametrize("begin", [0, 1000])
def test_a_storm_of_interrupts_is_not_silent(uno: Run, tmp_path: Path, begin: int) -> None:
    """From the begin of it on no loop gets what is due to it, and each period of that is a miss."""
    scenario = tmp_path / "storm.yaml"
    text = "parts:\n  storm: {type: generator, pin: 2, frequency: 10 kHz@}\n"
    scenario.write_text(text.replace("@", f", start: {begin} ms" if begin else ""))
    done = uno(kept("storm", STORM), "3s", "--scenario", scenario)
    periods = {1: 50, 2: 100, 3: 100}
    for number, loop in loops_of(done.report).items():
        expected = (3000 - begin) / periods[number]
        assert expected - 4 <= loop["deadline_misses"] <= expected + 1, loop
        assert loop["max_response_us"] >= (3000 - begin - 2 * periods[number]) * 1000
    never = [notice for notice in done.report["notices"] if "never ran" in notice]
    assert len(never) == (0 if begin else 3), done.report["notices"]
