"""E6 on Linux: the loops as threads (linux/fixed_work.c), of the usual class and with budgets.

How long each takes for its work is seen at its pin.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError
from hocket.linux.comparison import CONDITIONS as CONDITIONS
from hocket.linux.comparison import Job, Outcome, on_each

LINES = {1: 0, 2: 1, 3: 2}  # loop → line of the program
CLASSES = ("SCHED_OTHER", "SCHED_DEADLINE")
# Who is there, and a spinner or not: each loop alone, all of them, all with the spinner.
CASES = (((1,), 0), ((2,), 0), ((3,), 0), ((1, 2, 3), 0), ((1, 2, 3), 1))
# A budget's end by a timer: without it the scheduler sees it at its tick, each 4 ms.
_PREPARE = "echo HRTICK_DL >/sys/kernel/debug/sched/features\n"


@dataclass(frozen=True)
class Times:
    """One loop of one class, in ms: alone, beside the other two, and beside a spinner, too."""

    of_class: str
    loop: int
    alone: float
    together: float
    with_spinner: float


def measure(below: int, primes: int) -> dict[str, list[Times]]:
    """By the kernel's label. primes: how many there are below `below`."""
    commands = [
        f"./fixed_work {name.removeprefix('SCHED_').lower()} {below}"
        f" {sum(1 << LINES[loop] for loop in loops)} {spinner}"
        for name in CLASSES
        for loops, spinner in CASES
    ]
    job = Job(_PREPARE + "\n".join(commands), tuple(LINES.values()))
    return on_each(Path(__file__).parent / "linux", lambda machine: read(machine.run(job), primes))


def read(outcome: Outcome, primes: int) -> list[Times]:
    """HocketError: not all of the work was done."""
    taken = {
        loop: [(fall - rise) / 1e6 for rise, fall in outcome.high[line]]
        for loop, line in LINES.items()
    }
    works = len(CLASSES) * sum(len(loops) for loops, _ in CASES)
    whole = all(len(times) == 3 * len(CLASSES) for times in taken.values())
    if not whole or outcome.text.count(f"{primes} primes\n") != works:
        raise HocketError("a work was not done on Linux", f"it said: {outcome.text[-300:]}")
    return [
        Times(name, loop, *taken[loop][3 * number : 3 * number + 3])
        for loop in LINES
        for number, name in enumerate(CLASSES)
    ]
