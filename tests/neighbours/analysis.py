"""Whether loops fit on a core: docs/reference/scheduling.md, docs/decisions/earliest-deadline-first.md.

Written anew, slowly and simply, so that what is drawn (draw.py) is at the edge of admission and no part of
the project's own analysis decides where that is. Times in microseconds.
"""

from __future__ import annotations

import math

from tests.neighbours.boards import Direct, Loop, Measured

# By deadlines a core is filled no further: the nearer to 1, the later the last instant to be looked at.
FULLEST = 0.998


def enforced(loop: Loop, costs: Measured) -> float:
    return loop.budget + costs.activation + loop.top_half


def by_priority(
    loops: list[Loop], costs: Measured, lock: float, directs: list[Direct]
) -> list[float] | None:
    """J + R of each of the loops of one core; None when one does not fit."""
    found = []
    late, over = costs.lateness, costs.overrun + lock
    for loop in loops:
        above = [other for other in loops if other.rank() < loop.rank()]
        alone = costs.masked + 2 * lock + enforced(loop, costs) + over * len(above)
        alone += sum(other.top_half for other in loops if other is not loop)
        alone += sum(direct.once for direct in directs)
        response = alone
        while True:
            window = response + late
            needed = alone + sum(
                math.ceil(window / direct.distance) * direct.length for direct in directs
            )
            for other in above:
                own = enforced(other, costs)
                if other.io:
                    needed += own + max(0, window - own) * own / other.period
                else:
                    needed += math.ceil(window / other.period) * own
            if needed + late > loop.deadline:
                return None
            if needed <= response:
                break
            response = needed
        found.append(response + late)
    return found


def by_deadline(
    loops: list[Loop], costs: Measured, lock: float, directs: list[Direct]
) -> list[float] | None:
    """D of each of the loops of one core; None when more may be due by some instant than there is time."""
    promised = [loop for loop in loops if loop.promised]
    if not promised:
        return []
    over = costs.overrun + lock
    once = costs.lateness + costs.masked + sum(loop.top_half for loop in promised)
    once += sum(direct.once + direct.length for direct in directs)
    share = sum(direct.length / direct.distance for direct in directs)
    load = share + sum(enforced(loop, costs) / loop.period for loop in promised)
    if load >= FULLEST:
        return None
    # Demand is below this line, which meets the diagonal at `end`; nothing fails behind that.
    line = (
        once
        + lock
        + sum(
            over + enforced(loop, costs) * (loop.period - loop.deadline) / loop.period
            for loop in promised
        )
    )
    end = max(line / (1 - load), *(loop.deadline for loop in promised))
    steps: dict[int, float] = {}
    for loop in promised:
        steps.setdefault(loop.deadline, 0)  # looked at, also of an I/O virtual CPU
        if not loop.io:
            for at in range(loop.deadline, int(end) + 1, loop.period):
                steps[at] = steps.get(at, 0) + loop.budget + costs.activation
    lines = [loop for loop in promised if loop.io]
    latest = max(loop.deadline for loop in promised)
    done, first = 0.0, sorted(loop.deadline for loop in promised)
    began = 0
    for at in sorted(steps):
        done += steps[at]
        while began < len(first) and first[began] <= at:
            began += 1
        due = once + share * at + done + over * began
        due += lock if at < latest or len(promised) < len(loops) else 0
        for loop in lines:
            if loop.deadline <= at:
                due += enforced(loop, costs) * (1 + (at - loop.deadline) / loop.period)
        if due > at:
            return None
    return [float(loop.deadline) for loop in promised]


def fits(
    policy: str, loops: list[Loop], costs: Measured, lock: float, directs: list[Direct]
) -> bool:
    """Whether all loops of all cores fit. Direct handlers are core 0's."""
    analysis = by_priority if policy == "vcpu" else by_deadline
    for core in {loop.core for loop in loops}:
        here = [loop for loop in loops if loop.core == core]
        if analysis(here, costs, lock, directs if core == 0 else []) is None:
            return False
    return True
