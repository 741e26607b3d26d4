"""E6 with little work: a loop's time does not depend on what runs beside it."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
from tests.campaign import except_virt, long_form

from hocket.bench import Context
from hocket.errors import HocketError

Load = Callable[..., tuple[ModuleType, Context]]


# Primes below, board time for all of the work, and for none of it.
WORK = {"sim": (30_000, "10s", "1900ms"), "virt": (45_000, "2600ms", "600ms")}


@long_form
@pytest.mark.parametrize("board", except_virt(WORK))
def test_company_changes_nothing_but_the_declared_overhead(load: Load, board: str) -> None:
    module, context = load("loop-isolation", board)
    below, duration, busy = WORK[board]
    size = module.Size(below=below, duration=duration, busy=busy)
    loops = module.measure(context, size).data["loops"]
    assert len(loops) == 12
    for entry in loops:
        budget_us = 1000 * module.BUDGETS_MS[entry["loop"]]
        assert entry["least_cpu_us"] == pytest.approx(budget_us, abs=20)
        assert entry["most_cpu_us"] == pytest.approx(budget_us, abs=20)
        assert abs(entry["difference_ms"]) <= entry["may_differ_ms"]
        # A loop's place in its period can move by what comes before it: the bound is less than one period.
        assert entry["may_differ_ms"] < module.PERIOD_MS
    # Between the three loops nothing moves: there the difference is far below a millisecond.
    together = [e for e in loops if e["beside"] == module.COMPANY["together"]]
    assert all(abs(entry["difference_ms"]) < 1 for entry in together)
    # A quarter of the budget, four times the time: the figures are measured, not one and the same.
    alone = {e["loop"]: e["finished_ms"] for e in loops if e["beside"] == "nobody"}
    assert alone[3] == pytest.approx(4 * alone[1], rel=0.1)


def test_work_that_ends_too_early_is_an_error(load: Load) -> None:
    module, context = load("loop-isolation")
    with pytest.raises(HocketError, match="finished within"):
        module.measure(context, module.Size(below=1_000, duration="2s", busy="2s"))
