"""Many numbers in few, and the search for the smallest budgets, against slow and plain ways."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from hocket.campaign.distribution import BINS, distribution
from hocket.campaign.performing import FAILED, Outcome
from hocket.campaign.sampling import Planned
from hocket.campaign.searching import smallest

numbers = st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=200)


@given(numbers)
def test_ends_percentiles_and_bins(values: list[float]) -> None:
    found = distribution(values)
    assert (found.least, found.most, found.count) == (min(values), max(values), len(values))
    assert sum(found.bins) == len(values)
    for percent, value in ((50, found.median), (95, found.most_of)):
        assert value in values
        assert sum(each <= value for each in values) * 100 >= percent * len(values)
        assert sum(each < value for each in values) * 100 < percent * len(values)
    assert len(found.picture()) in (0, BINS)
    for letter, count in zip(found.picture(), found.bins, strict=False):
        assert (letter == " ") == (count == 0)


@given(
    st.dictionaries(st.integers(1, 9), st.integers(1, 10**7), min_size=1, max_size=3),
    st.data(),
    st.integers(1, 10**5),
)
def test_the_smallest_that_hold_are_found(
    budgets: dict[int, int], data: st.DataObject, step: int
) -> None:
    """Each loop needs so much, whatever the others have."""
    needs = {loop: data.draw(st.integers(1, budget)) for loop, budget in budgets.items()}

    def attempt(tried: Mapping[int, int]) -> Outcome | None:
        short = [loop for loop, need in needs.items() if tried[loop] < need]
        return Outcome(Planned(1), FAILED, (f"loop {short[0]}",), {}) if short else None

    for found in smallest(budgets, step, attempt):
        need, before = needs[found.loop], budgets[found.loop]
        assert found.budget == min(before, -(-need // step) * step)
        assert found.before == before
        assert (found.below is None) == (-(-found.budget // step) == 1)
