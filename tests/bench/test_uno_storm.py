"""E7 on the Uno: a storm of any rate leaves three loops their work, and nothing of it is hidden."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from tests.campaign import long_form

from hocket.bench import Context

Load = Callable[..., tuple[ModuleType, Context]]

pytestmark = long_form


@pytest.fixture(scope="module")
def runs(load: Load) -> list[dict[str, Any]]:
    module, context = load("uno-storm")
    found: list[dict[str, Any]] = module.measure(context, module.Size(periods=3)).data["runs"]
    assert {run["rate"] for run in found} == {0, 10_000, 40_000, 60_000, 100_000}
    return found


def test_three_loops_keep_their_work(runs: list[dict[str, Any]]) -> None:
    quiet = runs[0]["tested"]
    for run in (run for run in runs if run["handler"] == "attachInterrupt()"):
        assert run["misses"] == 0, run
        for own, full in zip(run["tested"], quiet, strict=True):
            # What no account has is the way into a handler and out of it, but for 160 cycles of each.
            assert 0.975 * full <= own <= 1.01 * full, run


def test_every_edge_is_in_the_account(runs: list[dict[str, Any]]) -> None:
    for run in (run for run in runs if run["handler"] == "attachInterrupt()"):
        assert run["edges"] == run["delivered"] + run["pending"] + run["lost"]
        assert abs(run["edges"] - run["rate"] * 0.301) <= run["rate"] * 0.002 + 2, run
        assert run["lost"] > 0
        assert any("used up their budget" in notice for notice in run["notices"]), run


def test_without_a_limit_the_storm_takes_their_work(runs: list[dict[str, Any]]) -> None:
    quiet = sum(runs[0]["tested"])
    worst = next(
        run for run in runs if run["handler"] == "ISR(INT0_vect)" and run["rate"] == 100_000
    )
    assert sum(worst["tested"]) < 0.1 * quiet
    assert worst["misses"] > 0
    assert any("Handlers of interrupts took" in notice for notice in worst["notices"])
