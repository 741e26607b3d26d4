"""On virt a loop can do whatever it likes: it stops alone, and everybody else keeps all guarantees."""

from __future__ import annotations

import pytest
from tests.protection.wrongs import FIRST, JUDGE, PERIODIC, SPINNER, WRONGS, Wrong, sketch
from tests.sketches import Outcome, Run

TEXT, PLACES = sketch()


@pytest.fixture(scope="module", params=[1, 4])
def wrongs(request: pytest.FixtureRequest, run_virt: Run) -> Outcome:
    """All wrongs in one run."""
    return run_virt("wrongs", 1, TEXT, cores=request.param)


@pytest.mark.parametrize("wrong", WRONGS, ids=lambda wrong: wrong.name)
def test_a_loop_stops_with_the_reason_and_the_place(wrongs: Outcome, wrong: Wrong) -> None:
    number, line = PLACES[wrong.name]
    fault = wrongs.faults.get(number)
    assert fault is not None, "the loop was not stopped"
    assert fault["kind"] == wrong.kind
    assert wrong.text in fault["text"]
    assert f"wrongs/wrongs.ino:{line}, in loop {number}" in fault["text"] or (
        wrong.name in ("endless recursion", "a pure virtual function")
        and "wrongs/wrongs.ino:" in fault["text"]
    ), fault["text"]
    if wrong.address is not None:
        assert fault["address"] == wrong.address


def test_nobody_else_stops(wrongs: Outcome) -> None:
    assert set(wrongs.faults) == set(range(FIRST, FIRST + len(WRONGS)))
    assert (wrongs.status, wrongs.report["end"]) == (1, "time")


def test_the_others_keep_their_guarantees(wrongs: Outcome) -> None:
    assert wrongs.broken_bounds([PERIODIC, JUDGE, SPINNER]) == []
    periodic = wrongs.loop(PERIODIC)
    assert periodic["iterations"] >= periodic["releases"] - 1
    assert (
        periodic["releases"] >= 490
    )  # of 500 in a second, less what boot, admission and setup() take
    assert wrongs.loop(SPINNER)["budget_exhausted"] >= 24


def test_what_is_not_theirs_is_as_it_was(wrongs: Outcome) -> None:
    assert wrongs.said.count("whole") >= 2
    assert "changed" not in wrongs.said
