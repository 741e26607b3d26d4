"""E4 with few periods: a loop's counts differ by no more than the declared costs, whatever runs beside."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
from tests.campaign import long_form

from hocket.bench import Context

Load = Callable[..., tuple[ModuleType, Context]]


@long_form
@pytest.mark.parametrize(
    ("board", "periods"), [("sim", 10), pytest.param("virt", 2, marks=long_form)]
)
def test_counts_are_the_same_in_every_period(load: Load, board: str, periods: int) -> None:
    module, context = load("loop-predictability", board)
    rest_ms = module.SIZES[board].rest_ms
    result = module.measure(context, module.Size(periods=periods, rest_ms=rest_ms))
    cases = result.data["cases"]
    assert len(cases) == 10
    alone = {c["budget_ms"]: c for c in cases if c["beside"] == "nothing"}
    for case in cases:
        counts = case["counts"]
        assert len(counts) == periods
        assert max(counts) - min(counts) <= case["bound_counts"]
        # The bound itself is small: 2 % for the restless, with their many switches, else 1 %.
        assert case["bound_counts"] < 0.02 * min(counts)
        # Company takes from the loop no more than the declared costs.
        lost = max(alone[case["budget_ms"]]["counts"]) - min(counts)
        assert lost <= case["bound_counts"]
    # Three times the budget, three times the count.
    means = {budget: sum(c["counts"]) / periods for budget, c in alone.items()}
    assert means[30] == pytest.approx(3 * means[10], rel=0.001)
    assert means[50] == pytest.approx(5 * means[10], rel=0.001)


def test_the_seed_changes_the_restless_company_but_not_the_bound(load: Load) -> None:
    module, context = load("loop-predictability")
    size = module.Size(periods=10)

    def counts(seed: int) -> tuple[list[int], float]:
        again = type(context)("loop-predictability", seed)
        again._images = context._images  # built once
        done = module._count(again, module.RESTLESS[0], size)
        case = module._case(done, size, module.RESTLESS[1], module.RESTLESS[2])
        return list(case.counts), case.bound

    first, bound = counts(1)
    assert (first, bound) == counts(1)
    for seed in (2, 3):
        other, its_bound = counts(seed)
        assert other != first
        assert max(other) - min(other) <= its_bound
