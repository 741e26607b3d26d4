"""Alarms, clocks and threads on the simulated Uno: the same programs as on the other boards."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form
from tests.sketches import kept
from tests.system.test_time_services import PERMITS

Run = Callable[..., Any]

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def _stacks_hold(report: dict[str, Any]) -> bool:
    return all(loop["stack_used"] <= loop["stack_size"] for loop in report["loops"])


def test_epos_clock(uno: Run) -> None:
    done = uno(EXAMPLES / "epos-clock" / "epos-clock.cpp", "11s")
    assert done.status == 0, done.said
    first, second = done.serial.splitlines()[:2]
    assert first.rstrip() == "Current Time: 0"
    elapsed = re.fullmatch(r"Elapsed time: (\d+)", second.rstrip())
    assert elapsed is not None
    # Late by the way from the timer to the next line of main(), by no more.
    assert 10_100_000 <= int(elapsed[1]) <= 10_100_400
    assert [loop["id"] for loop in done.report["loops"]] == [1]
    assert done.report["parts"]["lamp"]["edges"] == 100
    assert _stacks_hold(done.report)


@long_form
def test_epos_periods(uno: Run) -> None:
    """A busy main() beside: each event within what masks interrupts, and no error adds up."""
    done = uno(EXAMPLES / "epos-periods" / "epos-periods.cpp", "400ms")
    assert done.status == 0, done.said
    gaps = [int(line) for line in done.serial.split()[:10]]
    assert len(gaps) == 10
    assert all(9_900 <= gap <= 10_100 for gap in gaps), gaps
    assert sum(gaps) == pytest.approx(100_000, abs=300)
    assert _stacks_hold(done.report)


@long_form
def test_epos_glow(uno: Run) -> None:
    done = uno(EXAMPLES / "epos-glow" / "epos-glow.cpp", "700ms")
    assert done.status == 0, done.said
    loops = {loop["id"]: loop for loop in done.report["loops"]}
    assert sorted(loops) == [1, 253]
    assert loops[253]["budget_exhausted"] == 0  # nothing but alarms comes between
    lamps = [done.report["parts"][f"led{i}"] for i in range(8)]
    assert all(lamp["edges"] > 100 for lamp in lamps), lamps
    assert _stacks_hold(done.report)


def test_a_timed_wait_leaves_a_loop_its_permit(uno: Run) -> None:
    done = uno(kept("permits", PERMITS), "1200ms")
    assert done.status == 0, done.said
    # What is given comes with a permit here, which is the other one's if that came at the same time.
    was_not, given = ["was not", "has it", "has lost it"], ["was given", "has it", "has lost it"]
    assert done.serial.splitlines()[:15] == [*was_not, *4 * given]


# With a plain loop() beside the declared ones, whose stack is not measured right yet.
PARKING = """#include <TimeServices.h>
Semaphore given(0), asked(0);
unsigned rounds;
void setup() { Serial.begin(115200); Serial.println(given.p(2000)); given.v(); given.p(); }
void loop(1, 5, 100, stackBytes(250)) { asked.v(); given.p(); rounds++; }
void loop(2, 5, 100, stackBytes(250)) { asked.p(); given.v(); }
void loop() { delay(500); Serial.println(rounds > 50); Serial.println(given.p(1000)); }
"""


def test_semaphores_between_loops_and_in_setup(uno: Run, tmp_path: Path) -> None:
    sketch = tmp_path / "parking" / "parking.ino"
    sketch.parent.mkdir()
    sketch.write_text(PARKING)
    done = uno(sketch, "600ms")
    assert done.status == 0, done.said
    # In setup() there is nobody else: the time ends, and what is there is taken.
    assert done.serial.split()[:3] == ["0", "1", "0"], done.serial


GLOBALS = """#include <TimeServices.h>
#include <string.h>
unsigned calls;
Handler_Function handler([] { ++calls; });
Alarm alarms[] = {{20000, &handler, Alarm::INFINITE}, {30000, &handler, 2}};
void setup() { Serial.begin(115200); }
void loop(1, 5, 100) {
  delay(190);
  char* copy = strdup("calls ");
  Serial.print(copy);
  Serial.println(calls);
  free(copy);
}
"""


@long_form
def test_alarms_as_global_objects(uno: Run) -> None:
    """Nothing of what would destroy them is in the program, and the C library finds the heap."""
    done = uno(kept("globals", GLOBALS), "250ms")
    assert done.status == 0, done.said
    assert done.serial.splitlines()[0] == f"calls {190 // 20 + 2}"
    assert _stacks_hold(done.report)
