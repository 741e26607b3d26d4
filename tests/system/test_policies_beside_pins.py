"""Handlers of pins beside loops under other policies than vcpu: in time, and at no loop's cost."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.commands import run_hocket as hocket
from tests.interrupts import interrupts
from tests.interrupts import loop as loop_of
from tests.interrupts import run as run_with_edges
from tests.sketches import kept

from hocket.errors import EXIT_REFUSED

# 91 % of a core with what they cost. What comes fast on pin 2 is more than its handler can have.
BESIDE_PINS = """volatile unsigned long calls;
void fast() { ++calls; }
void slow() { delayMicroseconds(50); }
void setup() {
  interruptsVcpu(500us, 10);
  attachInterruptVcpu(2, fast, CHANGE, 500us, 10);
  attachInterruptVcpu(4, slow, CHANGE, 300us, 15);
}
void periodic(1, 20, 50) { delayMicroseconds(19800); }
void periodic(2, 24, 70) { delayMicroseconds(23800); }
"""
EDGES = """parts:
  storm: {type: generator, pin: 2, frequency: RATE}
  rare: {type: generator, pin: 4, gaps: {shortest: 16 ms, longest: 23 ms}}
"""


@one_in(3)
@pytest.mark.parametrize(
    ("board", "policy", "rate", "ms"),
    [("sim", "edf", "300 kHz", 2000), ("sim", "hybrid-edf", "3 kHz", 2000), ("virt", "edf", "20 kHz", 500),
     pytest.param("virt", "hybrid-edf", "3 kHz", 2000, marks=long_form)],
)  # fmt: skip
def test_by_deadlines_edges_are_handled_in_time_and_cost_no_loop_anything(
    board: str, policy: str, rate: str, ms: int, tmp_path: Path
) -> None:
    status, said, report = run_with_edges(
        tmp_path,
        f"pins-{policy}",
        BESIDE_PINS,
        EDGES.replace("RATE", rate),
        f"{ms + 1}ms",
        *("--board", board, "--policy", policy),
    )
    assert status == 0, said
    for each in report["loops"]:
        assert each["deadline_misses"] == 0, each
        assert each["max_response_us"] <= each["response_bound_us"], each
    for number, period in ((1, 50), (2, 70)):
        assert loop_of(report, number)["iterations"] >= ms // period - 1
    entries = interrupts(report)
    assert (entries[2]["lost_because"]["no_room"] > 0) == (rate == "300 kHz")
    assert entries[2]["delivered"] > ms // 2
    rare = entries[4]
    assert rare["edges"] > ms // 25
    assert rare["lost"] == 0
    assert rare["edges"] - rare["delivered"] <= 1
    assert 0 < rare["max_delay_us"] <= rare["delay_bound_us"]


def test_fixed_priorities_cannot_promise_these_beside_pins() -> None:
    outcome = hocket("check", str(kept("pins-vcpu", BESIDE_PINS)))
    assert outcome.returncode == EXIT_REFUSED


def test_where_nothing_is_promised_no_edge_has_a_bound(tmp_path: Path) -> None:
    status, said, report = run_with_edges(
        tmp_path,
        "pins-mlq",
        BESIDE_PINS,
        EDGES.replace("RATE", "1 kHz"),
        "501ms",
        "--policy",
        "mlq",
    )
    assert status == 0, said
    assert {entry["delay_bound_us"] for entry in interrupts(report).values()} == {None}


@long_form
@pytest.mark.parametrize("policy", ["mlq", "lottery"])
def test_where_nobody_has_a_budget_handlers_may_be_why_setup_does_not_end(
    policy: str, tmp_path: Path
) -> None:
    text = "void f() {}\nvoid setup() { attachInterrupt(2, f, LOW); delay(1); }\nvoid loop() {}\n"
    done = hocket("run", kept("level", text), "--for", "50ms", "--policy", policy)
    assert done.returncode == 2
    assert f"handlers of pins left it no time: by the policy {policy} nobody" in done.stderr
    done = hocket("run", kept("level", text), "--for", "50ms", "--json", tmp_path / "r.json")
    assert done.returncode == 0, done.stderr
