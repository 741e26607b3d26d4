"""Acceptance curves in small: what each test takes, in order, and what splitting gains."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from tests.campaign import long_form

from hocket.bench import Context

Load = Callable[..., tuple[ModuleType, Context]]


@long_form
def test_each_test_accepts_what_the_one_before_does(load: Load) -> None:
    module, _ = load("acceptance")
    size = module.Size(sets=150, loads=(60, 94, 100))
    light, heavy, full = module.measure(size, 1)
    for row in (light, heavy, full):
        assert list(row.accepted) == sorted(row.accepted)
        assert row.split <= row.accepted[3]
    assert light.percent(3) == 100
    assert full.percent(0) == 0
    # Eight loops at 94 % of four cores: about half without splitting, nearly all with it.
    assert 40 <= heavy.percent(2) <= 70
    assert heavy.percent(3) >= 95
    assert heavy.split > 0.3 * heavy.sets


@long_form
def test_what_the_kernel_costs_is_counted(load: Load) -> None:
    module, _ = load("acceptance")
    size = module.Size(sets=150, loads=(94, 100))
    _, full = module.measure(size, 1)
    heavy, costly = module.measure(size, 1, module.COSTS)
    assert heavy.percent(3) >= 95
    assert costly.percent(3) == 0 or costly.accepted[3] < full.accepted[3]


def test_the_same_seed_gives_the_same(load: Load) -> None:
    module, _ = load("acceptance")
    size = module.Size(sets=50, loads=(90, 96))
    assert module.measure(size, 7) == module.measure(size, 7)
    assert module.measure(size, 7) != module.measure(size, 8)
