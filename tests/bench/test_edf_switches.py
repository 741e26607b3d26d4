"""E10 with few items: by deadlines producers are not interrupted, by levels they take turns."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
from tests.campaign import long_form

from hocket.bench import Context

Load = Callable[..., tuple[ModuleType, Context]]


@long_form
def test_by_deadlines_there_are_fewer_switches(load: Load) -> None:
    module, context = load("edf-switches")
    result = module.measure(context, module.Size(items=(10,)))
    counters = result.data["counters"]
    for case, shape in module.CASES.items():
        edf, mlq = counters[case]["edf"][10], counters[case]["mlq"][10]
        assert counters[case]["vcpu"][10]["thread_switches"] >= edf["thread_switches"]
        hybrid = counters[case]["hybrid-edf"][10]
        assert hybrid["thread_switches"] == mlq["thread_switches"]
        assert edf["sleeps"] == mlq["sleeps"]
        if shape.producers == 1:
            assert mlq["thread_switches"] == pytest.approx(edf["thread_switches"], rel=0.05)
        else:  # two turns more for each item of each producer but the last one's, at least
            assert mlq["thread_switches"] >= edf["thread_switches"] + 2 * (shape.producers - 1) * 10
    assert [row[0] for row in result.rows] == [case for case in module.CASES for _ in range(4)]
