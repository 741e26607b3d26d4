"""The experiment `fifos`: what a record costs a loop beside Linux does not grow, and repeats."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from tests.campaign import long_form

from hocket.bench import Context

Load = Callable[..., tuple[ModuleType, Context]]


@long_form
def test_a_record_costs_few_instructions_and_its_copy(load: Load) -> None:
    module, context = load("fifos", "virt")
    result = module.run(context)
    costs = {row[0]: row[1:] for row in result.rows}
    for call, most in {"fifoPut": 200, "fifoGetRecord": 260}.items():
        nothing = costs["a call that only answers (loop_id)"][1]
        small, large = costs[f"{call}, 4 bytes"], costs[f"{call}, 4088 bytes"]
        assert small[1] - nothing <= most
        assert small[2] - small[0] <= 12  # whatever Linux does
        assert 3_000 < large[1] - small[1] <= 4_088  # below one for each byte
    told = costs["fifoPut, 64 bytes, Linux is told"]
    assert told[2] - costs["fifoPut, 64 bytes"][1] <= 40
    flows = {row[0]: row[1] for row in result.more[0].rows}
    assert all(bytes_per_second > 1_000_000 for bytes_per_second in flows.values())
