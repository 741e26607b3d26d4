"""Loops of a sketch above another system (above.py)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.beside.above import Above, image_of
from tests.campaign import long_form
from tests.sketches import kept

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.errors import HocketError
from hocket.sketch.folder import find_sketch

# Two loops that always have work, one that computes with doubles and sleeps, one that ends in a fault.
WORKING = """
volatile unsigned long turns[3];
void setup() { Serial.begin(115200); }
void loop(1, 3, 10) { ++turns[1]; }
void loop(2, 10, 50) { ++turns[2]; }
void loop(3, 1, 20) {
  static double sum = 0;
  static int n = 0;
  for (int i = 1; i <= 20; ++i) { ++n; sum += 1.0 / (static_cast<double>(n) * n); }
  if (n == 200) { Serial.println(sum, 9); }
  delay(10);
}
void loop(4, 1, 100) { delay(60); *reinterpret_cast<volatile int*>(0x10) = 1; }
"""
BEGINS_ANEW = (
    "HOCKET_ON_FAULT(RestartSketch);\nvoid setup() {}\nvoid loop(1, 1, 100) { delay(50); }\n"
)
TRUSTS = """#include <Hocket.h>
HOCKET_TRUSTED_PINS()
void setup() {}
void loop() { delay(hocket::trustedPins() == nullptr ? 50 : 60); }
"""
HANDLES_PINS = """
void edge() {}
void setup() { attachInterruptVcpu(2, edge, RISING, 1, 10); }
void loop() { delay(10); }
"""


def _adds_up(report: dict[str, Any]) -> None:
    for core in report["beside"]["cores"]:
        parts = [core[name] for name in ("beside_us", "loops_us", "for_loops_us", "rest_us")]
        assert abs(sum(parts) - report["duration_us"]) < 1
        assert min(parts) >= 0


def test_loops_keep_their_budgets(above: Above) -> None:
    """…and one that faults stops alone."""
    ran = above.run("working", WORKING, 1, 400)
    report = ran.report
    loops = {loop["id"]: loop for loop in report["loops"]}
    for number, budget in ((1, 3_000), (2, 10_000)):
        assert loops[number]["min_cpu_per_period_us"] >= budget
        assert loops[number]["deadline_misses"] == 0
    assert ran.said.strip() == "1.639946546"  # the sum of 1/n² up to 200
    (fault,) = report["faults"]
    assert (fault["loop"], fault["kind"], fault["address"]) == (4, "bad access", 0x10)
    beside = report["beside"]
    assert (beside["state"], beside["restarts"], beside["cores_on"]) == ("running", 0, 1)
    _adds_up(report)
    (core,) = beside["cores"]
    # Loops take half of the core, the kernel little; all else is the neighbour's.
    assert 0.45 < core["loops_us"] / report["duration_us"] < 0.55
    assert core["beside_us"] > 0.4 * report["duration_us"]
    assert core["rest_us"] < 0.05 * report["duration_us"]


@long_form
def test_all_cores_are_shared(above: Above) -> None:
    """The neighbour is on one of them; on the others nobody is when no loop is."""
    ran = above.run("working", WORKING, 4, 60)
    _adds_up(ran.report)
    assert len(ran.report["beside"]["cores"]) == 4
    assert ran.report["beside"]["cores_on"] == 1


@long_form
def test_two_runs_are_the_same(above: Above) -> None:
    first, second = (above.run("working", WORKING, 1, 150) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("name", "text", "says", "way_out"),
    [
        (
            "anew",
            BEGINS_ANEW,
            "restarts after a fault cannot run beside",
            "HOCKET_ON_FAULT(StopSketch)",
        ),
        (
            "trusted",
            TRUSTS,
            "HOCKET_TRUSTED_PINS cannot run beside",
            "leave HOCKET_TRUSTED_PINS out",
        ),
    ],
)
def test_what_cannot_be_is_refused_when_the_sketch_is_built(
    name: str, text: str, says: str, way_out: str
) -> None:
    image = image_of(name, text)
    with pytest.raises(HocketError) as refused:
        image.beside_for(1)
    assert says in str(refused.value)
    assert way_out in str(refused.value)


def test_other_boards_have_nothing_beside() -> None:
    image = build_sketch(find_sketch(str(kept("handles", HANDLES_PINS))), find_board("rpi3"))
    with pytest.raises(
        HocketError, match="no other system can run beside Hocket on the board rpi3"
    ):
        image.beside_for(1)
