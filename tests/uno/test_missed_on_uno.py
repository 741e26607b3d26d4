"""Every deadline that has passed is counted on the Uno, too: of calls that have not ended, and of loops that
interrupts kept from running."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form, one_in
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
ISR(INT0_vect) { for (byte i = 0; i < 250; ++i) n++; }
void setup() {
  pinMode(2, INPUT);
  EICRA = 3;
  EIMSK = 1;
}
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


@one_in(2)
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


ATTACHED = """
volatile unsigned n;
void edge() { for (byte i = 0; i < 250; ++i) n++; }
void setup() {
  pinMode(2, INPUT);
  attachInterrupt(digitalPinToInterrupt(2), edge, RISING);
  delay(3);
}
void periodic(1, 5, 50) { n++; }
void loop(2, 10, 100) { delay(20); n++; }
"""


@long_form
def test_a_storm_that_begins_before_the_loops_do(uno: Run, tmp_path: Path) -> None:
    """Handlers of attachInterrupt() are limited in setup(), too: the loops begin."""
    scenario = tmp_path / "storm.yaml"
    scenario.write_text("parts:\n  storm: {type: generator, pin: 2, frequency: 10 kHz}\n")
    done = uno(kept("attached", ATTACHED), "3s", "--scenario", scenario)
    for loop in loops_of(done.report).values():
        assert loop["deadline_misses"] == 0, loop
        assert loop["iterations"] > 50


@long_form
@pytest.mark.parametrize("begin", [2, 1000])  # the loops are ready at 4
def test_a_storm_of_interrupts_is_not_silent(uno: Run, tmp_path: Path, begin: int) -> None:
    """Of a vector that the sketch has taken itself: nothing limits it. From the begin of it on no loop gets
    what is due to it, and each period of that is a miss."""
    scenario = tmp_path / "storm.yaml"
    scenario.write_text(
        f"parts:\n  storm: {{type: generator, pin: 2, frequency: 10 kHz, start: {begin} ms}}\n"
    )
    done = uno(kept("storm", STORM), "3s", "--scenario", scenario)
    periods = {1: 50, 2: 100, 3: 100}
    for number, loop in loops_of(done.report).items():
        expected = (3000 - begin) / periods[number]
        assert expected - 4 <= loop["deadline_misses"] <= expected + 1, loop
        assert loop["max_response_us"] >= (3000 - begin - 2 * periods[number]) * 1000
    never = [notice for notice in done.report["notices"] if "never ran" in notice]
    assert len(never) == (3 if begin < 4 else 0), done.report["notices"]
