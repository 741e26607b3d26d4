"""The scheduling policies on the Uno: what each promises there, seen from outside."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.sketches import kept
from tests.uno.conftest import Outcome, Run

from hocket.errors import EXIT_REFUSED

# 92 % of the processor with what they cost: no order of fixed priorities can promise that.
PERIODIC = """volatile unsigned long done[3];
void setup() {}
void periodic(1, 25, 50) { delayMicroseconds(23000); ++done[1]; }
void periodic(2, 27, 70) { delayMicroseconds(25000); ++done[2]; }
"""


def loop(outcome: Outcome, number: int) -> dict[str, float]:
    (found,) = (each for each in outcome.report["loops"] if each["id"] == number)
    return dict(found)


def test_by_deadlines_more_is_promised_and_kept(uno: Run) -> None:
    folder = kept("uno-deadlines", PERIODIC)
    assert uno(folder, "100ms").status == EXIT_REFUSED
    for policy in ("edf", "hybrid-edf"):
        outcome = uno(folder, "2101ms", "--policy", policy)
        assert outcome.status == 0, outcome.said
        assert outcome.report["policy"] == policy
        for number, period in ((1, 50), (2, 70)):
            each = loop(outcome, number)
            assert each["deadline_misses"] == 0
            assert each["max_response_us"] <= each["response_bound_us"] == 1000 * period
            assert each["iterations"] >= 2100 // period - 1


STORM = """volatile unsigned long done[3];
void setup() {}
void periodic(1, 8ms, 30ms, 15ms) { delayMicroseconds(7000); ++done[1]; }
void periodic(2, 20ms, 60ms) { delayMicroseconds(19000); ++done[2]; }
void loop(3, 8ms, 40ms) { WRONG }
"""


@one_in(4)
@pytest.mark.parametrize("wrong", ["for (;;) {}", "delay(1);", "delayMicroseconds(500); yield();"])
def test_a_loop_gone_wrong_misses_alone(wrong: str, uno: Run) -> None:
    outcome = uno(kept("uno-storm", STORM.replace("WRONG", wrong)), "1501ms", "--policy", "edf")
    assert outcome.status == 0, outcome.said
    for number, period in ((1, 30), (2, 60)):
        each = loop(outcome, number)
        assert each["deadline_misses"] == 0
        assert each["iterations"] >= 1500 // period - 1


def test_what_is_too_much_is_refused_with_the_first_instant(uno: Run) -> None:
    text = PERIODIC.replace("27, 70", "36, 70")
    outcome = uno(kept("uno-over", text), "100ms", "--policy", "edf")
    assert outcome.status == EXIT_REFUSED
    assert re.search(
        r"15\d\.\d+ ms of work would be due in the first 150 ms after a common release",
        outcome.said,
    ), outcome.said


TURNS = """void setup() {}
void loop(1, 1ms, 100ms, priority(3), tickets(1)) { delayMicroseconds(100); }
void loop(2, 1ms, 100ms, priority(3), tickets(3)) { delayMicroseconds(100); }
void loop(3, 90ms, 100ms, priority(9), tickets(1)) { delayMicroseconds(100); }
"""


def shares(outcome: Outcome, seconds: float) -> list[float]:
    return [loop(outcome, i)["cpu_us"] / (1e6 * seconds) for i in (1, 2, 3)]


@long_form
def test_levels_take_turns(uno: Run) -> None:
    outcome = uno(kept("uno-turns", TURNS), "1s", "--policy", "mlq")
    assert outcome.status == 0, outcome.said
    assert outcome.report["admission"]["test"].startswith("none")
    # (A switch in every 10 ms is nobody's own work.)
    assert shares(outcome, 1) == pytest.approx([0.48, 0.48, 0], abs=0.03)
    assert loop(outcome, 1)["deadline_misses"] == 0  # nothing was promised
    assert loop(outcome, 1)["response_bound_us"] is None


@long_form
def test_a_loop_says_how_long_its_turns_are(uno: Run) -> None:
    text = TURNS.replace("tickets(1)", "slice(5ms)", 1).replace("tickets(3)", "slice(15ms)")
    outcome = uno(kept("uno-slices", text), "1s", "--policy", "mlq")
    assert outcome.status == 0, outcome.said
    assert shares(outcome, 1) == pytest.approx([0.24, 0.73, 0], abs=0.03)


@long_form
def test_a_bitmap_has_one_that_runs(uno: Run) -> None:
    outcome = uno(kept("uno-turns", TURNS), "1s", "--policy", "bitmap")
    assert outcome.status == 0, outcome.said
    assert shares(outcome, 1) == pytest.approx([0.99, 0, 0], abs=0.02)


@long_form
def test_a_lottery_draws_by_tickets(uno: Run) -> None:
    outcome = uno(kept("uno-turns", TURNS), "5s", "--policy", "lottery")
    assert outcome.status == 0, outcome.said
    assert shares(outcome, 5) == pytest.approx([0.2, 0.6, 0.2], abs=0.07)


HYBRID = """void setup() {}
void periodic(1, 12ms, 40ms) { delayMicroseconds(11000); }
void loop(2, 1ms, 100ms, priority(3)) { delayMicroseconds(100); }
void loop(3, 1ms, 100ms, priority(3)) { delayMicroseconds(100); }
"""


@long_form
def test_levels_have_what_deadlines_leave(uno: Run) -> None:
    outcome = uno(kept("uno-hybrid", HYBRID), "2s", "--policy", "hybrid-edf")
    assert outcome.status == 0, outcome.said
    first, second, third = (loop(outcome, number) for number in (1, 2, 3))
    assert first["deadline_misses"] == 0
    assert first["iterations"] >= 49
    assert second["response_bound_us"] is None
    assert second["cpu_us"] == pytest.approx(third["cpu_us"], rel=0.03)
    assert second["cpu_us"] + third["cpu_us"] > 0.6 * 2e6


HANDLER = (
    PERIODIC.replace("27, 70", "22, 70")
    .replace("25000", "20000")
    .replace("setup() {", "edge() { ++done[0]; }\nvoid setup() { attachInterrupt(0, edge, RISING);")
)


@long_form
def test_handlers_of_pins_cost_no_deadline(uno: Run, tmp_path: Path) -> None:
    scenario = tmp_path / "edges.yaml"
    scenario.write_text("parts:\n  g: {type: generator, pin: 2, frequency: 20 kHz}\n")
    folder = kept("uno-edges", HANDLER)
    outcome = uno(folder, "3s", "--policy", "edf", "--scenario", scenario)
    assert outcome.status == 0, outcome.said
    assert [loop(outcome, number)["deadline_misses"] for number in (1, 2)] == [0, 0]
    assert loop(outcome, 2)["iterations"] >= 41


def test_where_nothing_is_promised_no_edge_has_a_bound(uno: Run, tmp_path: Path) -> None:
    """Handlers are held back all the same. (By priorities the bound stands in the report.)"""
    scenario = tmp_path / "edges.yaml"
    scenario.write_text("parts:\n  g: {type: generator, pin: 2, frequency: 40 kHz}\n")
    folder = kept("uno-promised-edges", HANDLER.replace("1, 25, 50", "1, 5, 50"))
    bounds = {}
    for policy in ("vcpu", "mlq"):
        outcome = uno(folder, "100ms", "--policy", policy, "--scenario", scenario)
        (edges,) = outcome.report["interrupts"]
        assert 0 < edges["delivered"] < 0.5 * edges["edges"]
        bounds[policy] = edges["delay_bound_us"]
    assert bounds["vcpu"] > 0
    assert bounds["mlq"] is None


@one_in(5)
@pytest.mark.parametrize(
    ("policy", "bytes_"),
    [("edf", 59), ("hybrid-edf", 60), ("mlq", 27), ("bitmap", 15), ("lottery", 29)],
)
def test_a_sketch_that_does_not_fit_is_told_its_states(policy: str, bytes_: int, uno: Run) -> None:
    text = "char big[1400];\nvoid setup() { big[millis() % 1400] = 1; }\n" + "".join(
        f"void loop({i}, 1, 100) {{ delay(big[{i}]); }}\n" for i in range(1, 4)
    )
    outcome = uno(kept("uno-room", text), "100ms", "--policy", policy)
    assert outcome.status != 0
    assert f"its stack, and {bytes_} for its state" in outcome.said
