"""E7 on Linux: a thread tests numbers while a pin storms into another one (linux/storm.c).

The interrupts come by the character device, as a program gets them. The thread that computes is of the usual
class, as in the paper, or has 70 ms in every 100 ms by SCHED_DEADLINE.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError
from hocket.linux.comparison import CONDITIONS as CONDITIONS
from hocket.linux.comparison import Job, Machine, on_each
from hocket.linux.pins import Edge

START, IN = 0, 5  # lines of the program
CLASSES = {"SCHED_OTHER": "other", "SCHED_DEADLINE 70/100": "deadline"}
# A budget's end by a timer: without it the scheduler sees it at its tick, each 4 ms.
_PREPARE = "echo HRTICK_DL >/sys/kernel/debug/sched/features\n"


@dataclass(frozen=True)
class Case:
    """One run. tested: numbers by the thread; received: edges by the handler; attached: there was one."""

    of_class: str
    rate: int
    attached: bool
    tested: int
    received: int


def measure(rates: Sequence[int], length_ms: int) -> dict[str, list[Case]]:
    """By the kernel's label: for each class without a handler at the highest rate, then with it at each."""

    def on(machine: Machine) -> list[Case]:
        return [
            _run(machine, of_class, rate, attached, length_ms)
            for of_class in CLASSES
            for rate, attached in [(max(rates), False), *((rate, True) for rate in rates)]
        ]

    return on_each(Path(__file__).parent / "linux", on)


def _run(machine: Machine, of_class: str, rate: int, attached: bool, length_ms: int) -> Case:
    distance = 1_000_000_000 / rate
    count = rate * length_ms // 1_000
    edges = [Edge(round((n + 1) * distance), IN, 1 - n % 2) for n in range(count)]
    words = f"{CLASSES[of_class]} {'other' if attached else 'off'} {length_ms}"
    outcome = machine.run(Job(f"{_PREPARE}./storm {words}", edges=edges, start=START))
    return Case(of_class, rate, attached, *read(outcome.text))


def read(text: str) -> tuple[int, int]:
    """What was tested and received. HocketError: the program does not say."""
    match = re.search(r"(?m)^tested (\d+) received (\d+)$", text)
    if match is None:
        raise HocketError("the storm was not measured on Linux", f"it said: {text[-300:]}")
    return int(match[1]), int(match[2])
