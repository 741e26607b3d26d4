"""What a loop gets of its own work in a period, by the account that a run's report names."""

from __future__ import annotations

from typing import Any

Report = dict[str, Any]


def free(report: Report) -> float:
    """What of an activation that comes free may be left for own work (us)."""
    return float(report["losses"]["each_wake_up_us"])


def allowance(report: Report) -> float:
    """How much more than its budget a loop's own work in one period may be (us): what came free, and
    what a timer that is late takes of the next period's."""
    costs = report["overheads"]
    return free(report) + float(costs["timer_lateness_us"] + costs["longest_masked_us"])


def assert_budget_in_each_period(report: Report, loop: Report) -> None:
    """Of a loop that always has work: never less than its budget, and hardly more."""
    least, most = loop["min_cpu_per_period_us"], loop["max_cpu_per_period_us"]
    assert loop["budget_us"] <= least <= most <= loop["budget_us"] + allowance(report), loop
