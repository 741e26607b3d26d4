"""Random sketches (tests/neighbours/): no victim gets less than its C of useful work, or is late.

A few in every run of the suite; with `hocket test --long` 1,000 on sim, 100 on virt, 100 on uno; with
HOCKET_NEIGHBOURS=N so many on each. A failure prints the sketch and the command that repeats it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import rounds
from tests.neighbours.boards import BOARDS
from tests.neighbours.campaign import campaign, measure, runner
from tests.targets import sim_with

SUITE = {"sim": 3, "virt": 1, "uno": 2}
LONG = {"sim": 1000, "virt": 100, "uno": 100}
BLOCK = 25  # sketches in one test, of which the speed of a victim is measured once
BLOCKS = [
    (name, first, min(first + BLOCK, count))
    for name in BOARDS
    for count in [rounds(SUITE[name], LONG[name], "HOCKET_NEIGHBOURS")]
    for first in range(0, count, BLOCK)
]


@pytest.mark.parametrize(("name", "first", "end"), BLOCKS)
def test_no_victim_gets_less(name: str, first: int, end: int, tmp_path: Path) -> None:
    board, run = BOARDS[name], runner(tmp_path)
    speed = measure(board, run)
    for number in range(first, end):
        sketch, found = campaign(board, number, speed, run)
        assert found == [], f"{found}\n{sketch.again()}\n{sketch.text}"


# Of the first ten, 1, 2, 3, 8 and 9 catch a kernel that charges nobody for what it does.
CAUGHT_BY = 9


def test_a_kernel_whose_wake_ups_are_free_is_caught(tmp_path: Path) -> None:
    board, run = BOARDS["sim"], runner(tmp_path, sim_with("uncharged"))
    speed = measure(board, run)
    _, found = campaign(board, CAUGHT_BY, speed, run)
    assert any("victim" in sentence for sentence in found), found
