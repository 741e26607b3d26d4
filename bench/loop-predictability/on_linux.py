"""E4 on Linux: a thread counts in each period, of each scheduling class that it can have (linux/count.c).

The usual class is the paper's. A fixed priority is the usual answer to it; it gives the thread all that it
takes. SCHED_DEADLINE alone has a budget and a period, as a loop has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError
from hocket.linux.comparison import CONDITIONS as CONDITIONS
from hocket.linux.comparison import Job, on_each

BESIDE = {"nothing": (0, 0), "2 threads": (2, 0), "4 threads": (4, 0), "4 restless": (4, 1)}
RESTLESS_BUDGET_MS = 30
# A budget ends with the tick, 4 ms long, unless the scheduler is told to set a timer for it.
PRECISE = "SCHED_DEADLINE, HRTICK_DL"
_FEATURE = "echo {} >/sys/kernel/debug/sched/features\n"


@dataclass(frozen=True)
class Case:
    """One run of the program. budget_ms: None where the class has none."""

    of_class: str
    budget_ms: int | None
    beside: str

    def command(self, period_ms: int, periods: int) -> str:
        threads, restless = BESIDE[self.beside]
        name = self.of_class.removeprefix("SCHED_").partition(",")[0].lower()
        feature = _FEATURE.format("HRTICK_DL" if self.of_class == PRECISE else "NO_HRTICK_DL")
        numbers = f"{self.budget_ms or 0} {period_ms} {periods} {threads} {restless}"
        return f"{feature}./count {name} {numbers}; echo end"


def cases(budgets_ms: Sequence[int]) -> list[Case]:
    """Those with budgets have the sketches' budgets, beside most threads."""
    usual = [Case("SCHED_OTHER", None, beside) for beside in BESIDE]
    fixed = [Case("SCHED_FIFO", None, beside) for beside in ("nothing", "4 threads")]
    deadline = [
        Case(name, budget, beside)
        for name in ("SCHED_DEADLINE", PRECISE)
        for budget in budgets_ms
        for beside in ("4 threads", "4 restless")
        if beside != "4 restless" or budget == RESTLESS_BUDGET_MS
    ]
    return usual + fixed + deadline


def measure(
    budgets_ms: Sequence[int], period_ms: int, periods: int
) -> list[tuple[str, Case, list[int]]]:
    """The kernel's label, the case, the counts of its periods."""
    chosen = cases(budgets_ms)
    commands = "\n".join(case.command(period_ms, periods) for case in chosen)
    found = on_each(
        Path(__file__).parent / "linux",
        lambda machine: read(machine.run(Job(commands)).text, len(chosen), periods),
    )
    return [
        (kernel, case, counts)
        for kernel, runs in found.items()
        for case, counts in zip(chosen, runs, strict=True)
    ]


def read(text: str, runs: int, periods: int) -> list[list[int]]:
    """The counts of each run. HocketError: some are missing."""
    found = [
        [int(count) for count in re.findall(r"(?m)^counted (\d+)$", part)]
        for part in re.split(r"(?m)^end$", text)[:-1]
    ]
    if [len(counts) for counts in found] != [periods] * runs:
        raise HocketError("a program did not count all periods on Linux", f"it said: {text[-300:]}")
    return found
