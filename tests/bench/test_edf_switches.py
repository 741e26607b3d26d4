"""E10 with few items: by deadlines producers are not interrupted, by levels they take turns."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from tests.campaign import long_form

from hocket.bench import Context

Load = Callable[..., tuple[ModuleType, Context]]


@long_form
def test_by_deadlines_there_are_fewer_switches(load: Load) -> None:
    module, context = load("edf-switches")
    result = module.measure(context, module.Size(items=(10,)))
    counters = result.data["counters"]
    for case, shape in module.CASES.items():
        found = {way: counters[case][str(way)][10] for way in module.WAYS}
        assert len({each["sleeps"] for each in found.values()}) == 1
        switches = {way: each["thread_switches"] for way, each in found.items()}
        edf, mlq, of_ecos = (switches[way] for way in (module.EDF, module.MLQ, module.MLQ_OF_ECOS))
        assert switches[module.WAYS[-1]] >= edf
        assert switches[module.WAYS[-2]] == mlq
        if shape.producers == 1:
            assert edf == mlq == of_ecos
        else:  # two turns more for each item of each producer but the last one's, at least
            assert mlq >= edf + 2 * (shape.producers - 1) * 10
            # No item takes a whole slice, so nothing is preempted: the sign turns.
            assert of_ecos < edf
            assert found[module.MLQ_OF_ECOS]["preemptions"] == 0
    assert [row[0] for row in result.rows] == [case for case in module.CASES for _ in module.WAYS]
