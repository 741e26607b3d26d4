"""Budgets and periods that are set for one run."""

from __future__ import annotations

import pytest

from hocket.errors import HocketError
from hocket.scenario.settings import Declared, loop_options, read_setting

MS = 1_000_000
LOOPS = [
    Declared(1, (20 * MS, 100 * MS)),
    Declared(2, (5 * MS, 50 * MS, 30 * MS)),
    Declared(3, (None, 10 * MS)),
]


def options(*settings: str) -> list[str]:
    return loop_options([read_setting(each) for each in settings], "sim", ["sim"], LOOPS)


@pytest.mark.parametrize(
    ("settings", "fact", "cause", "step"),
    [
        (["loop 1 C=200ms"], "--set 'loop 1 C = 200ms': loop 1 has a budget longer than its period",
         "T = 100 ms", "set a C of 100 ms or less"),
        (["loop 1 T=10ms"], "--set 'loop 1 T = 10ms'", "T = 10 ms", "C of 10 ms or less, or a longer T"),
        (["loop 2 C=40ms"], "longer than its deadline", "D = 30 ms", "set a C of 30 ms or less"),
    ],
)  # fmt: skip
def test_a_budget_longer_than_the_period_is_told_as_it_was_written(
    settings: list[str], fact: str, cause: str, step: str
) -> None:
    with pytest.raises(HocketError) as raised:
        options(*settings)
    assert fact in raised.value.fact and cause in (raised.value.cause or "")
    assert step in (raised.value.next_step or "")


def test_budgets_that_fit_or_that_only_the_compiler_knows_pass() -> None:
    assert options("loop 1 C=200ms", "loop 1 T=200ms") == ["--loop", "1:200000000:200000000"]
    assert options("loop 3 T=1ms") == ["--loop", "3:0:1000000"]
