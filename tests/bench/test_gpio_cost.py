"""E1 with a short wave: accesses are timed, and the highest frequency without a loss is one."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
from tests.campaign import except_virt, long_form

from hocket.bench import Context

Load = Callable[..., tuple[ModuleType, Context]]


# ns of an access, and Hz without a loss: what it is today, and a little more or less.
COST = {"sim": 300, "virt": 120, "uno": 1_000}
LEAST = {"sim": (40_000, 150_000), "virt": (25_000, 170_000), "uno": (5_500, 90_000)}


@long_form
@pytest.mark.parametrize("board", except_virt(COST))
def test_accesses_and_interrupts_without_a_loss(load: Load, board: str) -> None:
    module, context = load("gpio-cost", board)
    size = module.Size(wave_ms=60, handlers=module.SIZES[board].handlers)
    data = module.measure(context, size).data
    assert set(data["access_ns"]) == {"digitalWrite()", "digitalRead()"}
    for ns in data["access_ns"].values():
        assert 0 < ns <= COST[board], data
    for tries, least in zip(data["tries"].values(), LEAST[board], strict=True):
        complete = [t["frequency"] for t in tries if t["delivered"] == t["rises"]]
        others = [t["frequency"] for t in tries if t["delivered"] < t["rises"]]
        # The two are neighbours: from there on something waits too long, merges or is lost.
        assert least <= max(complete) < min(others) <= 1.13 * max(complete), tries
        assert all(t["rises"] == t["frequency"] * 60 // 1000 for t in tries)
