"""E3 with little work: two loops win what a write waits for, and lose nothing where it does not wait."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
from tests.campaign import except_virt, long_form

from hocket.bench import Context, primes_below
from hocket.errors import HocketError

Load = Callable[..., tuple[ModuleType, Context]]


CLOCKS = {"sim": "virtual time", "virt": "emulated: instructions"}
# Primes below, and writes: waits and the computation take about the same time.
WORK = {"sim": (30_000, 200), "virt": (60_000, 200)}


@pytest.mark.parametrize("board", except_virt(WORK))
def test_two_loops_win_the_waiting_time(load: Load, board: str) -> None:
    module, context = load("multi-loop", board)
    below, writes = WORK[board]
    size = module.Size(below=below, writes=writes, waits_ms=(0, 2), duration="5s")
    result = module.measure(context, size)
    without, waiting = result.data["ms"]

    # No wait: one loop is both works; two loops have 495 instead of 498 ms, and end at most one
    # period's idle rest (5 ms) and the writes' own time later.
    assert without["one_loop"] == pytest.approx(without["primes_alone"], rel=0.01)
    assert without["two_loops"] <= without["one_loop"] * 498 / 495 + 5 + without["writes_alone"]
    assert without["gain_percent"] == pytest.approx(0, abs=2)

    # With waits, one loop takes the sum, two take the longer work.
    assert waiting["writes_alone"] == pytest.approx(200 * 2, rel=0.05)
    both = waiting["primes_alone"] + waiting["writes_alone"]
    assert waiting["one_loop"] == pytest.approx(both, rel=0.01)
    longer = max(waiting["primes_alone"], waiting["writes_alone"])
    assert longer <= waiting["two_loops"] <= 1.02 * longer
    assert waiting["gain_percent"] > 25

    # The paper's figure stands beside the wait that is nearest to its board's, and nowhere else.
    assert [row[-1] for row in result.rows] == ["–", "31 % (Linux 28 %)"]
    assert any("cannot win" in note for note in result.notes)
    assert "seed 1" in result.notes[0] and f"board {board}" in result.notes[0]
    assert f"board {board}, {CLOCKS[board]}" in result.title


@long_form
def test_the_same_seed_gives_the_same_result(load: Load) -> None:
    module, context = load("multi-loop")
    size = module.Size(below=2_000, writes=20, waits_ms=(1,), duration="2s")
    first, second = (module.measure(context, size) for _ in range(2))
    assert (first.rows, first.notes, first.data) == (second.rows, second.notes, second.data)


def test_work_that_is_not_done_is_an_error(load: Load) -> None:
    module, context = load("multi-loop")
    with pytest.raises(HocketError, match="did not"):
        module.measure(context, module.Size(below=30_000, duration="300ms"))


def test_primes_are_counted_right() -> None:
    assert [primes_below(n) for n in (0, 2, 3, 10, 100, 80_000)] == [0, 0, 1, 4, 25, 7837]
