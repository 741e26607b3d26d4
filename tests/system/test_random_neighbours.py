"""Random sketches (tests/neighbours/): no victim gets less than its C of useful work, or is late.

With every policy: a few in every run of the suite; with `hocket self-test --long` 1,000 on sim, 100 on virt,
100 on uno; with HOCKET_NEIGHBOURS=N so many on each. Policies without budgets promise nothing, and their
reports must say so. A failure prints the sketch and the command that repeats it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import long_form, rounds
from tests.neighbours.boards import BOARDS, POLICIES, PROMISE, Board, Measured, Report
from tests.neighbours.campaign import MOST_FEWER, campaign, measure, runner
from tests.targets import sim_with

from hocket.builder.room import NoRoom

# By policy and board. Where nothing is promised, a run is judged by what it says.
SUITE = {policy: {"sim": 2 if policy in PROMISE else 1, "virt": 0, "uno": 0} for policy in POLICIES}
SUITE["vcpu"]["uno"] = 1
LONG = {
    policy: {"sim": 1000 if policy in PROMISE else 200, "virt": 100, "uno": 100}
    for policy in POLICIES
}
BLOCK = 25  # sketches in one test, of which the speed of a victim is measured once
BLOCKS = [
    (policy, name, first, min(first + BLOCK, count))
    for policy in POLICIES
    for name in BOARDS
    for count in [rounds(SUITE[policy][name], LONG[policy][name], "HOCKET_NEIGHBOURS")]
    for first in range(0, count, BLOCK)
]


@pytest.mark.parametrize(("policy", "name", "first", "end"), BLOCKS)
def test_no_victim_gets_less(policy: str, name: str, first: int, end: int, tmp_path: Path) -> None:
    board, run = BOARDS[name], runner(tmp_path)
    speed = measure(board, run, policy)
    for number in range(first, end):
        sketch, found = campaign(board, number, speed, run, policy)
        assert found == [], f"{found}\n{sketch.again()}\n{sketch.text}{sketch.scenario}"


def test_a_sketch_that_does_not_fit_is_drawn_with_fewer_neighbours() -> None:
    """Only the linker knows how many loops an Uno has room for."""
    drawn: list[int] = []

    def too_small(
        name: str, text: str, board: Board, cores: int, scenario: str
    ) -> tuple[int, str, Report]:
        drawn.append(text.count("stackBytes"))
        if drawn[-1] > 3:
            raise NoRoom("no room for more than three loops")
        return 3, "", {"admission": {"reasons": []}}

    sketch, _ = campaign(BOARDS["uno"], 68, [Measured(unit=2, round=20)], too_small)
    fits = next(at for at, loops in enumerate(drawn) if loops <= 3)
    assert drawn[:fits] == [6, 5, 4][:fits], "one neighbour fewer each time"
    assert len(drawn) == fits + 4 + MOST_FEWER, "what did not fit is not tried again"
    assert len(sketch.victims) >= 1


# Of the first ten, 0, 1, 2, 6, 8 and 9 catch a kernel that charges nobody for what it does.
CAUGHT_BY = 9


@long_form
def test_a_kernel_whose_wake_ups_are_free_is_caught(tmp_path: Path) -> None:
    board, run = BOARDS["sim"], runner(tmp_path, sim_with("uncharged"))
    speed = measure(board, run)
    _, found = campaign(board, CAUGHT_BY, speed, run)
    assert any("victim" in sentence for sentence in found), found
