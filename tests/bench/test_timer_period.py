"""E13 in parts: the mean period is exact, on either time base, where the paper's was late."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from hocket.bench import Context

Load = Callable[..., tuple[ModuleType, Context]]


def test_paper_and_cases_agree(load: Load) -> None:
    module, _ = load("timer-period")
    assert len(module.ALL) == 12
    assert all(len(row) == len(module.PERIODS_US) for row in module.PAPER.values())


@pytest.mark.parametrize("base", ["one-shot", "tick"])
def test_the_mean_is_exact(load: Load, base: str) -> None:
    """Of 1 ms, and beyond the timer's 16 bits. An event that is due while the kernel is at work, as at the
    end of main()'s budget, comes behind that."""
    module, context = load("timer-period")
    for entry in module.measure(context, [module.Case(base, 1_000), module.Case(base, 1_000_000)]):
        assert abs(entry.error_us()) < 2, entry.case
        assert entry.deviation_us() < 5, entry.case
        assert all(abs(gap - entry.case.period_us) < 150 for gap in entry.gaps_us()), entry.case


def test_an_alarm_every_100_us_is_hardly_late(load: Load) -> None:
    """It is a little more than its budget has, which is the whole processor."""
    module, context = load("timer-period")
    (entry,) = module.measure(context, [module.Case("one-shot", 100)])
    assert len(entry.gaps_us()) == 1_000
    assert 99.9 < entry.mean_us() < 103
