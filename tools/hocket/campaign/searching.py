"""Finds the smallest budgets with which every run of a campaign is ok (`hocket tune`).

One loop after the other, in the order of their numbers, by halving what is left between a budget that holds
and one that does not. What is found for a loop stays while the next one is looked at, so all of them together
were tried last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hocket.campaign.performing import Outcome

# Tries budgets (ns, by loop): the first outcome that is not ok, None where all are.
Try = Callable[[Mapping[int, int]], Outcome | None]


@dataclass(frozen=True)
class Found:
    """Of one loop, nanoseconds. below: what came of a step less; None: there is no smaller step."""

    loop: int
    before: int
    budget: int
    below: Outcome | None


def smallest(budgets: Mapping[int, int], step: int, attempt: Try) -> list[Found]:
    """budgets: hold all together to begin with. What is found is a multiple of `step`, or as it was."""
    now = dict(budgets)
    found = []
    for loop in sorted(budgets):
        before = now[loop]
        good, bad = (
            -(-before // step),
            0,
        )  # in steps; `good` stands for `before` until one less holds
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
