"""E5 on Linux: from an edge to a thread that waits for it at the character device (linux/deliver.c).

The sketch's two loops are threads that compute all the time, of the usual class or with the loops' budgets.
The delay of an edge is from its instant to the pulse that the thread makes first, both at the pins.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError
from hocket.linux.comparison import CONDITIONS as CONDITIONS
from hocket.linux.comparison import Interval, Job, Machine, on_each
from hocket.linux.pins import Edge

START, SEEN, IN = 0, 1, 5  # lines of the program
# The thread's class, and the loops': words for the program.
CLASSES = {
    "SCHED_OTHER": "other other",
    "SCHED_FIFO 49": "fifo other",
    "SCHED_FIFO 49, loops SCHED_DEADLINE": "fifo deadline",
}
# A budget's end by a timer: without it the scheduler sees it at its tick, each 4 ms.
_PREPARE = "echo HRTICK_DL >/sys/kernel/debug/sched/features\n"
LONGEST_GAP_NS = 2_300_000
_BEGIN_NS = 5_000_000
_REST_MS = 50  # after the last edge, for what still waits


@dataclass(frozen=True)
class Delays:
    """One class. In ns: of the edges that found the thread idle."""

    of_class: str
    edges: int
    seen: int
    delays: list[int]


def measure(count: int, seed: int) -> dict[str, list[Delays]]:
    """By the kernel's label, with `count` edges for each class."""
    instants = random_instants(count, seed)
    edges = [Edge(at, IN, 1 - number % 2) for number, at in enumerate(instants)]
    length_ms = instants[-1] // 1_000_000 + _REST_MS

    def on(machine: Machine) -> list[Delays]:
        found = []
        for name, word in CLASSES.items():
            commands = f"{_PREPARE}./deliver {word} {length_ms}"
            high = machine.run(Job(commands, (START, SEEN), edges, START)).high
            found.append(read(name, instants, high))
        return found

    return on_each(Path(__file__).parent / "linux", on)


def random_instants(count: int, seed: int) -> list[int]:
    """Since the start, in ns: 0 to 2.3 ms apart."""
    dice = random.Random(seed)
    instants, at = [], _BEGIN_NS
    for _ in range(count):
        at += dice.randint(1, LONGEST_GAP_NS)
        instants.append(at)
    return instants


def read(name: str, instants: Sequence[int], high: dict[int, list[Interval]]) -> Delays:
    """HocketError: none was seen."""
    if not high[START] or not high[SEEN]:
        raise HocketError("no edge was seen on Linux", f"of {len(instants)}")
    begin = high[START][0][0]
    answers = [rise - begin for rise, _ in high[SEEN]]
    return Delays(name, len(instants), len(answers), delays(instants, answers))


def delays(instants: Sequence[int], answers: Sequence[int]) -> list[int]:
    """Of each edge before which the last one was answered: how long until the next answer. What comes while
    another one waits is left out."""
    found: list[int] = []
    before = -1
    for at in instants:
        answered = bisect_right(answers, at)
        idle = before < 0 or (answered > 0 and answers[answered - 1] > before)
        if idle and answered < len(answers):
            found.append(answers[answered] - at)
        before = at
    return found
