"""The common release: every loop is started before it, whatever handlers do while setup() starts them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.campaign import rounds
from tests.interrupts import run
from tests.sketches import Report

# The handler takes 4 ms at once, the longest of several that may come before setup() on core 0.
HANDLERS = """
void work() { for (volatile long i = 0; i < 100000; i = i + 1) {} }
void other() { delayMicroseconds(600); }
void setup() {
  delay(10);
  attachInterruptVcpu(2, work, RISING, 5ms, 50ms, onCore(0));
  attachInterrupt(3, other, RISING);
}
"""
END_OF_SETUP_US = 10_000


def loops(count: int) -> str:
    """The one that setup() starts last has the shortest deadline."""
    return "".join(
        f"void periodic({i}, 25us, {2 * (count + 1 - i)}ms) {{}}\n" for i in range(1, count + 1)
    )


def broken(report: Report) -> list[str]:
    """The promises that the run did not keep."""
    found = []
    for loop in report["loops"]:
        late = loop["max_response_us"] > loop["response_bound_us"]
        if (
            late
            or loop["deadline_misses"] > 0
            or (loop["kind"] == "periodic" and not loop["releases"])
        ):
            found.append(
                f"{loop['kind']} {loop['id']}: response {loop['max_response_us']} us, bound "
                f"{loop['response_bound_us']} us, {loop['deadline_misses']} misses"
            )
    return found


def edges(random_instants: random.Random, number: int, count_of_loops: int) -> str:
    """Edges while setup() starts loops, a few microseconds for each: one on each pin, or several."""
    count = 1 if number % 2 == 0 else random_instants.randrange(2, 6)
    parts = []
    for pin in (2, 3):
        first = END_OF_SETUP_US + random_instants.randrange(0, 40 + 3 * count_of_loops)
        gaps = [random_instants.choice((1, 20, 700)) for _ in range(count - 1)]
        instants = [first + sum(gaps[:i]) for i in range(count)]
        parts.append(
            f"  g{pin}: {{type: generator, pin: {pin}, edges: {[f'{t} us' for t in instants]}}}\n"
        )
    return "parts:\n" + "".join(parts).replace("'", "")


@pytest.mark.parametrize(
    ("policy", "count", "cores"),
    [("vcpu", 12, 1), ("vcpu", 240, 1), ("vcpu", 60, 3), ("edf", 12, 1), ("hybrid-edf", 40, 2)],
)
def test_no_edge_makes_a_loop_miss_the_release(
    tmp_path: Path, policy: str, count: int, cores: int
) -> None:
    instants = random.Random(f"{policy}-{count}-{cores}")
    for number in range(rounds(8, 400, "HOCKET_RELEASES")):
        scenario = edges(instants, number, count)
        options = ("--cores", str(cores), "--policy", policy)
        status, said, report = run(
            tmp_path, "release", HANDLERS + loops(count), scenario, "60ms", *options
        )
        assert status == 0, said
        assert not broken(report), (scenario, broken(report))
