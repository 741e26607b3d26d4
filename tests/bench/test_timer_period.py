"""E13 in parts: the mean period is exact, on either time base, where the paper's was late."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from hocket.bench import Context

Load = Callable[..., tuple[ModuleType, Context]]


def test_paper_and_cases_agree(load: Load) -> None:
    module, _ = load("timer-period")
    assert len(module.ALL) == 36
    assert all(len(row) == len(module.PERIODS_US) for row in module.PAPER.values())
    clocks = {case.clock() for case in module.ALL}
    assert clocks == {7_200, 28_800, 115_200}


@pytest.mark.parametrize("base", ["one-shot", "periodic"])
def test_the_mean_is_exact(load: Load, base: str) -> None:
    """The shortest period that every clock can show, one beyond the timer's 16 bits, and 1 ms, which is
    7.2 ticks of the slowest clock."""
    module, _ = load("timer-period")
    wanted = [(1024, 1_000), (64, 1_000), (64, 10_000_000)]
    measured = module.measure([module.Case(base, *case) for case in wanted])
    for entry in measured:
        assert abs(entry.error_ticks()) < 1, entry.case
        # An event is at most a tick and its interrupt's time from where it should be.
        slack = entry.case.prescaler + 1_500
        assert all(abs(gap - entry.case.asked()) < slack for gap in entry.gaps()), entry.case
    ticks = {round(gap / 1024) for gap in measured[0].gaps()}
    assert ticks == {7, 8}
    assert measured[2].mean_us() == pytest.approx(10_000_000, abs=1)  # the paper: 10,921,704


def test_events_that_the_processor_cannot_follow_are_made_up_for(load: Load) -> None:
    """100 us are 0.72 ticks of 7200 Hz."""
    module, _ = load("timer-period")
    (entry,) = module.measure([module.Case("one-shot", 1024, 100)])
    assert len(entry.gaps()) == 1_000
    assert abs(entry.error_ticks()) < 1
    assert min(entry.gaps()) < 737 < max(entry.gaps()) < 2_500
