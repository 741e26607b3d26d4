"""The kernel's paths on the Uno with few rounds: budgets cost something, priorities alone less."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from tests.campaign import long_form

from hocket.bench import Context

Load = Callable[..., tuple[ModuleType, Context]]


@long_form
def test_priorities_alone_cost_less_than_budgets(load: Load) -> None:
    module, context = load("uno-kernel")
    found = module.measure(context, module.Size(yields=100, edges=40)).data["paths"]
    by = {(p["path"], p["policy"]): p for p in found}
    assert len(by) == 6 + len(module.SKETCHES)
    for path, *_ in module.PATHS:
        budgets, priorities = (by[path, policy] for policy in ("budgets", "priorities only"))
        for one in (budgets, priorities):
            assert 100 <= one["least"] <= one["median"] <= one["most"]
            assert one["least"] <= one["mean"] <= one["most"]
        more = 260 if "lower thread" in path else 130
        assert priorities["median"] <= budgets["median"] <= priorities["median"] + more
        assert priorities["flash"] < budgets["flash"]
    idle = by["pin, handler, semaphore, thread's pin: idle", "priorities only"]
    assert idle["median"] <= 530
    assert (
        idle["most"] - idle["least"] <= 200
    )  # the instruction in progress, the clock, an alarm far away
    sketch = by["pin, attachInterrupt, Semaphore, loop's pin: idle", "a sketch's"]
    # FreeRTOS's user, without budgets, has 574. Handlers that are never masked are recorded first.
    assert sketch["least"] <= 815
    assert sketch["most"] <= 2_050  # what was used is put down, and refills are joined
