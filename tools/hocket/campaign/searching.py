"""Finds the smallest budgets with which every run of a campaign is ok (`hocket tune`).

The search handles one loop after the other, in the order of their numbers, by bisection between a sufficient
and an insufficient budget. The result for a loop stays in force for the following loops, so the last
successful try included all of the results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hocket.campaign.performing import Outcome

# Tries budgets (ns, by loop). Returns the first outcome that is not ok, or None if all are.
Try = Callable[[Mapping[int, int]], Outcome | None]


@dataclass(frozen=True)
class Found:
    """The result for one loop, in nanoseconds. below: the outcome of a budget one step smaller. None: there
    is no smaller step."""

    loop: int
    before: int
    budget: int
    below: Outcome | None


def smallest(budgets: Mapping[int, int], step: int, attempt: Try) -> list[Found]:
    """Returns the smallest budgets. budgets: must be sufficient together. A result is a multiple of `step`,
    or unchanged."""
    now = dict(budgets)
    found = []
    for loop in sorted(budgets):
        before = now[loop]
        good, bad = (
            -(-before // step),
            0,
        )  # in steps; `good` stands for `before` until a smaller one is ok
        why: Outcome | None = None
        while good - bad > 1:
            middle = (good + bad) // 2
            outcome = attempt({**now, loop: middle * step})
            if outcome is None:
                good = middle
            else:
                bad, why = middle, outcome
        now[loop] = min(before, good * step)
        found.append(Found(loop, before, now[loop], why))
    return found
