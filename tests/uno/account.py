"""What a loop gets of its own work in a period, by the account that a run's report names."""

from __future__ import annotations

from typing import Any

Report = dict[str, Any]


def free(report: Report) -> float:
    """What of an activation that comes free may be left for own work (us)."""
    return float(report["losses"]["each_wake_up_us"])


def allowance(report: Report) -> float:
    """How much more than its budget a loop's own work in one period may be (us): what came free, and
    what a timer that is late takes of the next period's. Handlers of pins come before the timer."""
    costs = report["overheads"]
    return (
        free(report)
        + float(costs["timer_lateness_us"] + costs["longest_masked_us"])
        + handlers(report)
    )


def handlers(report: Report) -> float:
    """What handlers of pins may take beside each other before they are held back (us): a budget, and what
    one of them takes beyond."""
    return float(max((each["budget_us"] + 300 for each in report["interrupts"]), default=0))


def assert_budget_in_each_period(report: Report, loop: Report) -> None:
    """Of a loop that always has work: never less than its budget, and hardly more. A limit that handlers
    have held back is paid for in the next period."""
    least, most = loop["min_cpu_per_period_us"], loop["max_cpu_per_period_us"]
    assert (
        loop["budget_us"] - handlers(report)
        <= least
        <= most
        <= loop["budget_us"] + allowance(report)
    ), loop
