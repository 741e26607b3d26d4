"""E1 on Linux: what pin accesses cost by each way to a pin, and how many interrupts a second are received.

linux/accesses.c makes the accesses, linux/receive.c waits for the edges; both are judged by their pins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError
from hocket.linux.comparison import CONDITIONS as CONDITIONS
from hocket.linux.comparison import Interval, Job, Machine, on_each
from hocket.linux.pins import Edge

WAYS = {"mapped": "mapped registers", "device": "character device", "sysfs": "sysfs"}
TIMING, START, SEEN, IN = 0, 0, 1, 5  # lines of the programs

Received = Callable[[int], int]  # frequency → how many of a wave's rises were seen in time


@dataclass(frozen=True)
class Cost:
    """What an access takes, in ns."""

    way: str
    write_ns: float
    read_ns: float


def measure(
    accesses: int,
    wave_ms: int,
    start_ms: int,
    late_ms: int,
    search: Callable[[Received], Sequence[object]],
) -> dict[str, tuple[list[Cost], Sequence[object]]]:
    """By the kernel's label: the costs, and what `search` has tried. A wave lasts wave_ms; what is seen later
    than late_ms after its end does not count."""
    costs = Job("\n".join(f"./accesses {way}" for way in WAYS), (TIMING,))

    def on(machine: Machine) -> tuple[list[Cost], Sequence[object]]:
        def received(frequency: int) -> int:
            return receive(machine, frequency, wave_ms, start_ms, late_ms)

        return read_costs(machine.run(costs).high[TIMING], accesses), search(received)

    return on_each(Path(__file__).parent / "linux", on)


def read_costs(high: Sequence[Interval], accesses: int) -> list[Cost]:
    """The line was high for the writes and for the reads of each way. HocketError: it was not."""
    if len(high) != 2 * len(WAYS):
        raise HocketError("the accesses were not made on Linux", f"{len(high)} were timed")
    each = [(fall - rise) / accesses for rise, fall in high]
    return [
        Cost(label, write, read)
        for label, write, read in zip(WAYS.values(), each[::2], each[1::2], strict=True)
    ]


def receive(machine: Machine, frequency: int, wave_ms: int, start_ms: int, late_ms: int) -> int:
    """How many rises of the wave the program has seen in time."""
    half = 500_000_000 / frequency
    begin = start_ms * 1_000_000
    rises = frequency * wave_ms // 1_000
    edges = [Edge(begin + round(n * half), IN, 1 - n % 2) for n in range(2 * rises)]
    whole = start_ms + wave_ms + late_ms
    outcome = machine.run(Job(f"./receive {whole + 1}", (START, SEEN), edges, START))
    started = outcome.high[START]
    end = (started[0][0] if started else 0) + whole * 1_000_000
    return sum(1 for rise, _ in outcome.high[SEEN] if rise <= end)
