"""What the kernel's paths cost on AArch64, in instructions: no more than today, with a twentieth to spare.

The figures are the same in every run (bench/kernel/aarch64); docs/decisions/cost-of-budgets.md has them
beside other kernels'. A change that costs more should say why.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from tests.campaign import long_form

# Median on the image for one core.
PATHS = {
    "yield and switch": 99,
    "semaphore ping-pong round": 420,
    "semaphore give to woken thread": 193,
    "vector to first instruction of a handler": 26,
    "vector to a woken thread's code": 228,
    "vector to the interrupted thread's code, through a woken one": 462,
    "thread resumed, runs, suspends itself, back": 389,
}
# Instructions of one count; where the best of the peers takes more than we do, that is the limit.
THREAD_METRIC = {
    "cooperative": 101,
    "preemptive": 341,
    "interrupt": 156,
    "interrupt preemption": 453,
    "message, 16 bytes": 142.3,
    "synchronisation": 62,
    "memory, 128 bytes": 63,
}
# How much more the image with locks may take, on one core: 150 instructions of a ping-pong round, as
# ever, but the round itself is shorter.
LOCKS = 1.4

# And how much more a round takes among 64 virtual CPUs than among 8.
GROWTH = 1.05


@pytest.fixture(scope="module")
def figures(experiment: Callable[[str], ModuleType]) -> dict[int, Any]:
    measuring = experiment("kernel").aarch64()
    return {cores: measuring.measure(image) for cores, image in measuring.build().items()}


@pytest.mark.parametrize("path", PATHS)
def test_paths_are_no_longer_than_today(path: str, figures: dict[int, Any]) -> None:
    median = {cores: found.paths[path][0] for cores, found in figures.items()}
    assert median[1] <= PATHS[path]
    assert median[8] <= LOCKS * median[1]


@pytest.mark.parametrize("test", THREAD_METRIC)
def test_thread_metric_is_no_slower_than_today(test: str, figures: dict[int, Any]) -> None:
    assert figures[1].thread_metric[test] <= THREAD_METRIC[test]


@long_form
def test_a_round_hardly_grows_with_the_virtual_cpus(
    experiment: Callable[[str], ModuleType],
) -> None:
    """From 8 to 64, of which all but the two that play sleep."""
    few, many = experiment("kernel").aarch64().growth()
    assert few > 0 and many <= GROWTH * few


def test_the_size_of_each_part_is_known(experiment: Callable[[str], ModuleType]) -> None:
    measuring = experiment("kernel").aarch64()
    sizes = measuring.sizes(measuring.build()[1])
    assert {"kernel/sched", "kernel/task", "ports/aarch64"} <= set(sizes)
    total = sum(part["text"] for part in sizes.values())
    assert sizes["(no line)"]["text"] < total / 20
