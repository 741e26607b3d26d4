"""What a report promises, held against what it says happened."""

from __future__ import annotations

from typing import Any

Report = dict[str, Any]


def overpaid(report: Report, loop: dict[str, Any]) -> float:
    """How much more than C + w of its own work others' activations may leave a loop in a period (us).

    Who preempts pays for its interrupt and for the switches as declared. What they cost less is gone from its
    budget, and the interrupted one's. At most E + S each time, so often as the others became ready.
    """
    costs = report["overheads"]
    same = [one for one in report["loops"] if one["core"] == loop["core"] and one is not loop]
    if report["duration_us"] == 0 or loop["releases"] is None:
        return 0.0
    ready: float = sum(one["releases"] or 0 for one in same) / report["duration_us"]
    each: float = costs["interrupt_entry_us"] + costs["context_switch_us"]
    period: float = loop["period_us"]
    return each * (1 + ready * period)


def broken_promises(
    report: Report,
    late: float,
    spinning: set[int] | None = None,
    unruly: set[int] | None = None,
    short: float | None = None,
) -> list[str]:
    """The promises that the run did not keep, as sentences.

    late      how far from its budget a loop's supply in one period may be (us)
    spinning  ids of loops that always have work: they get their budget in each period
    unruly    ids of loops whose own body makes them late
    short     by how much what a spinning loop gets in one period may be less than C; None: as `late` (us)
    """
    found = []
    costs = report["overheads"]
    seen = costs["longest_masked_seen_us"]  # QEMU's boards do not watch it
    if seen is None and report["board"] in ("sim", "uno"):
        found.append("nobody watched how long interrupts were masked")
    if seen is not None and seen > costs["longest_masked_us"]:
        found.append(f"masked for {seen} us in {costs.get('longest_masked_seen_in')}")
    found += [f"{name} exceeded: {report['notices']}" for name in costs.get("exceeded") or []]
    for loop in report["loops"]:
        budget, name = loop["budget_us"], f"loop {loop['id']}"
        least, most = loop["min_cpu_per_period_us"], loop["max_cpu_per_period_us"]
        if loop["id"] not in (unruly or set()):
            if loop["deadline_misses"] != 0:
                found.append(f"{name}: {loop['deadline_misses']} misses")
            if loop["max_response_us"] > loop["response_bound_us"]:
                found.append(f"{name}: response {loop['max_response_us']} beyond its bound")
        if most is None:
            continue
        # Any loop can be late in one period and early in the next, by what others may delay it.
        always = loop["id"] in (spinning or set())
        shift = 0 if always else min(budget, loop["response_bound_us"] - budget)
        if most > budget + shift + late + overpaid(report, loop):
            found.append(f"{name}: {most} in a period, budget {budget}, shift {shift}")
        if always and least < budget - (late if short is None else short):
            found.append(f"{name}: only {least} in a period, budget {budget}")
    return found
