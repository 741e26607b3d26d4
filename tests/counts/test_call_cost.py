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
    "a call that only answers (loop_id)": 55,
    "digitalWrite": 110,
    "digitalRead of a quiet pin": 108,
    "yield() with nobody to yield to": 55,
    "delay of no time": 72,
    "v() to the woken loop's code": 332,
    "p() that blocks, to the code of the loop below": 325,
    "Semaphore ping-pong, a round": 675,
    "timer: from the interrupted loop to the code behind delay()": 480,
    "delay(), to the code of the loop below": 750,
    PIN: 730,  # with the gate of sections in it
}
# What is no system call takes less than the cheapest one.
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
    assert figures[pair][1] < figures["a call that only answers (loop_id)"][1] / 2
