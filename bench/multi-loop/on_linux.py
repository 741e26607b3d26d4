"""E3 on Linux: the same works in one thread and in two, as pthreads of the usual class (linux/multi_loop.c).

How long each took is seen at its pins, as on our boards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError
from hocket.linux.comparison import CONDITIONS as CONDITIONS
from hocket.linux.comparison import Interval, Job, Outcome, on_each

WRITING, COMPUTING, OUT = 0, 1, 2  # lines of the program


@dataclass(frozen=True)
class Times:
    """One wait. In ms."""

    wait_ms: int
    writes_alone: float
    primes_alone: float
    one_thread: float
    two_threads: float


def measure(
    below: int, writes: int, waits_ms: Sequence[int], primes: int
) -> dict[str, list[Times]]:
    """By the kernel's label: a row for each wait. primes: how many there are to be found."""
    runs = [f"./multi_loop primes {below} 0 0"]
    for wait in waits_ms:
        runs += [
            f"./multi_loop {case} {below} {writes} {wait}" for case in ("writes", "one", "two")
        ]
    job = Job("\n".join(runs), (WRITING, COMPUTING, OUT))
    return on_each(
        Path(__file__).parent / "linux",
        lambda machine: read(machine.run(job), writes, waits_ms, primes),
    )


def read(outcome: Outcome, writes: int, waits_ms: Sequence[int], primes: int) -> list[Times]:
    """The runs were the primes alone, then for each wait the writes alone, one thread, two threads.
    HocketError: not all of the work was done."""
    cases = 3 * len(waits_ms)
    writing, computing = outcome.high[WRITING], outcome.high[COMPUTING]
    whole = [len(writing) == cases, len(computing) == 1 + 2 * len(waits_ms)]
    whole.append(outcome.text.count(f"{primes} primes") == 1 + 2 * len(waits_ms))
    whole.append(len(outcome.high[OUT]) == cases * (writes // 2))
    if not all(whole):
        raise HocketError("a work was not done on Linux", f"it said: {outcome.text[-300:]}")
    return list(_rows(writing, computing, waits_ms))


def _rows(
    writing: Sequence[Interval], computing: Sequence[Interval], waits_ms: Sequence[int]
) -> Iterator[Times]:
    alone = computing[0]
    for number, wait in enumerate(waits_ms):
        writes, *both = writing[3 * number : 3 * number + 3]
        computed = computing[1 + 2 * number : 3 + 2 * number]
        one, two = (
            max(first[1], second[1]) - min(first[0], second[0])
            for first, second in zip(both, computed, strict=True)
        )
        took = (writes[1] - writes[0], alone[1] - alone[0], one, two)
        yield Times(wait, *(ns / 1e6 for ns in took))
