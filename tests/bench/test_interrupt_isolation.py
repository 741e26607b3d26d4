"""E7 with little time: a storm of any rate leaves the loop its work, and takes what its I/O budget allows."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from tests.campaign import long_form

from hocket.bench import Context, Run
from hocket.errors import HocketError

Load = Callable[..., tuple[ModuleType, Context]]

BESIDE = 990_000  # a rate that is in step with nothing
# Of C' = budget + w + H (17 and 6 us on sim) what turns may have, the end's own cost being 7.3. And of the H
# that a top half is charged with what it does not take. In us.
FREE, UNUSED = 15.7, 2.2


def starves_without_budgets(runs: list[dict[str, Any]]) -> None:
    """Nobody's time is limited: the loop is slower by what the edges take, until it does nothing."""
    own = {(run["rate"], run["attached"]): run for run in runs if not run["budgeted"]}
    for (rate, attached), run in own.items():
        assert run["edges"] == run["delivered"] + run["pending"] + run["lost"]
        if attached:
            share = run["tested"] / own[rate, False]["tested"]
            assert share < 0.01 if rate > 500_000 else share > 0.2, run
            assert share < 0.95 or rate < 100_000, run


@long_form
def test_a_storm_leaves_the_loop_its_work(load: Load) -> None:
    module, context = load("interrupt-isolation", "sim")
    size = module.Size(seconds=1, rates=(*module.RATES, BESIDE))
    every = module.measure(context, size).data["runs"]
    all_runs = [run for run in every if run["loop_ms"] == module.LOOP_MS]
    starves_without_budgets(all_runs)
    equal_cost = {run["rate"]: run for run in every if run["loop_ms"] != module.LOOP_MS}
    for run in equal_cost.values():
        assert run["misses"] == 0, run
        assert run["least_cpu"] >= 1000 * module.EQUAL_COST_LOOP_MS, run
    runs = [run for run in all_runs if run["budgeted"]]
    quiet = {run["rate"]: run["tested"] for run in runs if run["budget"] is None}
    assert len(set(quiet.values())) == 1  # a pin that nobody listens to costs nothing
    for run in (run for run in runs if run["budget"] is not None):
        assert run["misses"] == 0, run
        assert run["least_cpu"] >= 70_000, run
        # Within what the board declares too high for each switch (docs/decisions/who-pays.md).
        assert run["tested"] >= 0.998 * quiet[run["rate"]], run
        assert run["edges"] == run["delivered"] + run["pending"] + run["lost"]
        assert abs(run["edges"] - run["rate"]) <= 0.002 * run["rate"] + 2, run
    # In a storm what is received follows the budget, not the rate.
    for rate in (100_000, BESIDE, 1_000_000):
        received = [run["delivered"] for run in runs if run["rate"] == rate and run["budget"]]
        of_each = [calls / budget for calls, budget in zip(received, size.budgets, strict=True)]
        assert of_each == pytest.approx([of_each[-1]] * 3, rel=0.25), received
        assert equal_cost[rate]["delivered"] > received[1]
    for run in (run for run in runs if run["rate"] >= BESIDE and run["budget"]):
        # Used up in each of 50 periods, and in the two parts of one, for turns and for top halves.
        own = [
            periods * (run["budget"] + FREE) - UNUSED * run["top_halves"] for periods in (50, 51)
        ]
        assert 0.99 * own[0] <= run["io_cpu"] <= 1.01 * own[1], (own, run)
    slowest = [run for run in runs if run["rate"] == 1_000 and run["budget"] == 1_000]
    assert slowest[0]["delivered"] >= slowest[0]["edges"] - 2


@long_form
def test_a_storm_on_virt_leaves_the_loop_its_work(load: Load) -> None:
    module, context = load("interrupt-isolation", "virt")
    size = module.Size(seconds=0.4, rates=(1_000, 100_000), budgets=(100, 1_000))
    every = module.measure(context, size).data["runs"]
    all_runs = [run for run in every if run["loop_ms"] == module.LOOP_MS]
    starves_without_budgets(all_runs)
    runs = [run for run in all_runs if run["budgeted"]]
    quiet = {run["rate"]: run["tested"] for run in runs if run["budget"] is None}
    for run in (run for run in runs if run["budget"] is not None):
        assert run["misses"] == 0, run
        assert run["least_cpu"] >= 70_000, run
        assert run["tested"] >= 0.996 * quiet[run["rate"]], run
        assert run["edges"] == run["delivered"] + run["pending"] + run["lost"]
        # One bit for the pin: none is forgotten, but the one of the run's last instant.
        made = size.seconds * run["rate"]
        assert abs(run["edges"] + run["merged"] - made) <= 0.005 * made + 2, run
    taken = [run["top_halves"] for run in runs if run["rate"] == 100_000 and run["budget"]]
    assert 0 < taken[0] * 3 < taken[1], taken


@pytest.mark.parametrize(
    ("status", "end", "lasted"),
    [(0, "time", 700_000.0), (1, "fault", 1_001_000.0), (0, "interrupted", 1_001_000.0)],
)
def test_a_run_that_ended_early_is_no_figure(
    load: Load, status: int, end: str, lasted: float
) -> None:
    module, _ = load("interrupt-isolation", "virt")
    report = {"duration_us": lasted, "end": end, "faults": [], "notices": ["said why"]}
    with pytest.raises(HocketError, match="ended after"):
        module.check_whole(Run(status, report, "", None, None), 1_001)


def test_a_whole_run_is_one_even_where_nobody_gets_anything(load: Load) -> None:
    module, _ = load("interrupt-isolation", "virt")

    def run(status: int, end: str) -> Run:
        report = {"duration_us": 1_001_000.0, "end": end, "faults": [], "notices": []}
        return Run(status, report, "", None, None)

    module.check_whole(run(0, "time"), 1_001)
    module.check_whole(run(2, "setup"), 1_001, may_starve=True)
    with pytest.raises(HocketError, match="setup"):
        module.check_whole(run(2, "setup"), 1_001)
    with pytest.raises(HocketError, match="ended after"):
        module.check_whole(run(2, "setup"), 2_001, may_starve=True)
