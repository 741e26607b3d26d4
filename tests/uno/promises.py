"""What a report must show when every promise was kept, for the board uno."""

from __future__ import annotations

from typing import Any

Report = dict[str, Any]


def allowance(report: Report) -> float:
    """How far from its budget a loop's supply in one period may be, by the declared overheads (us)."""
    costs = report["overheads"]
    late: float = (
        costs["timer_lateness_us"] + costs["longest_masked_us"] + costs["minimum_budget_us"]
    )
    return late


def broken(
    report: Report, always: set[int] | None = None, unruly: set[int] | None = None
) -> list[str]:
    """The promises that the run did not keep, as sentences.

    always  ids of loops that always have work: they get their budget in each period
    unruly  ids of loops whose own body makes them late
    """
    found = []
    costs, late = report["overheads"], allowance(report)
    if costs["longest_masked_seen_us"] > costs["longest_masked_us"]:
        found.append(
            f"masked for {costs['longest_masked_seen_us']} us in {costs['longest_masked_seen_in']}"
        )
    for loop in report["loops"]:
        name, budget = f"loop {loop['id']}", loop["budget_us"]
        least, most = loop["min_cpu_per_period_us"], loop["max_cpu_per_period_us"]
        if loop["id"] not in (unruly or set()):
            if loop["deadline_misses"] != 0:
                found.append(f"{name}: {loop['deadline_misses']} misses")
            if loop["max_response_us"] > loop["response_bound_us"]:
                found.append(f"{name}: response {loop['max_response_us']} beyond its bound")
        if most is None:
            continue
        spins = loop["id"] in (always or set())
        shift = 0 if spins else min(budget, loop["response_bound_us"] - budget)
        if most > budget + shift + late:
            found.append(f"{name}: {most} in a period, budget {budget}, shift {shift}")
        if spins and least < budget - late:
            found.append(f"{name}: only {least} in a period, budget {budget}")
    return found
