"""What a sketch pays for its calls on virt, in instructions: no more than today, and no system call
where none is needed.

The same figures in every run (bench/calls); what a peer takes stands beside them in `hocket bench calls`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
from tests.campaign import LONG, long_form

from hocket.bench import Context

PIN = "pin: from the edge to its handler's code"
# Median.
MOST = {
    "free Semaphore: v() and p()": 16,
    "free spinlock: taken and given back": 25,
    "a call that only answers (loop_id)": 47,
    "digitalWrite": 102,
    "digitalRead of a quiet pin": 99,
    "yield() with nobody to yield to": 44,
    "delay of no time": 63,
    "v() to the woken loop's code": 320,
    "p() that blocks, to the code of the loop below": 320,
    "Semaphore ping-pong, a round": 658,
    "timer: from the interrupted loop to the code behind delay()": 470,
    "delay(), to the code of the loop below": 715,
    PIN: 498,  # with the gate of sections in it
}
# From the vector to the handler, as a trace of the processor has it (bench/distribution-path).
DIRECT = "to a direct handler at EL0"
HANDLERS = {
    DIRECT: 120,
    "to a handler at EL0 on a virtual CPU of its own": 455,
}
# What is no system call takes much less than the cheapest one.
WITHOUT_A_CALL = ("free Semaphore: v() and p()", "free spinlock: taken and given back")


@pytest.fixture(scope="module")
def figures(experiment: Callable[[str], ModuleType]) -> dict[str, tuple[int, int, int]]:
    """The pin's is measured for --long only: most of the time is its."""
    module = experiment("calls")
    measure = module.measure if LONG else module.measure_calls
    found: dict[str, tuple[int, int, int]] = measure(Context("calls", 1, "virt"))[0]
    return found


def test_all_are_counted(figures: dict[str, tuple[int, int, int]]) -> None:
    assert set(figures) | {PIN} == set(MOST)
    assert (PIN in figures) == LONG


@pytest.mark.parametrize(
    "call", [pytest.param(call, marks=long_form if call == PIN else ()) for call in MOST]
)
def test_a_call_takes_no_longer_than_today(
    call: str, figures: dict[str, tuple[int, int, int]]
) -> None:
    assert figures[call][1] <= MOST[call]


@pytest.mark.parametrize("pair", WITHOUT_A_CALL)
def test_what_is_free_is_no_system_call(
    pair: str, figures: dict[str, tuple[int, int, int]]
) -> None:
    assert figures[pair][1] < figures["a call that only answers (loop_id)"][1] * 0.6


@pytest.fixture(scope="module")
def edges(experiment: Callable[[str], ModuleType]) -> dict[str, tuple[int, int, int]]:
    paths = experiment("distribution-path").measure(Context("distribution-path", 1, "virt"))
    return {path.name: path.instructions for path in paths}


@pytest.mark.parametrize("path", HANDLERS)
def test_an_edge_comes_to_its_handler_as_soon_as_today(
    path: str, edges: dict[str, tuple[int, int, int]]
) -> None:
    assert edges[path][1] <= HANDLERS[path]


def test_each_edge_of_a_direct_handler_takes_the_short_way(
    edges: dict[str, tuple[int, int, int]],
) -> None:
    least, _, most = edges[DIRECT]
    assert least == most
