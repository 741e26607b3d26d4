"""E16: the paths from the vector are no longer than today, and the trace agrees with the board's clock."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from tests.campaign import long_form

from hocket.bench import Context

Load = Callable[..., tuple[ModuleType, Context]]


@long_form
def test_the_paths_are_no_longer_than_today(load: Load) -> None:
    module, context = load("distribution-path", "virt")
    top_half, direct, own = module.measure(context)
    for path in (top_half, direct, own):
        assert path.edges >= 8, path
        assert path.instructions[0] <= path.instructions[1] <= path.instructions[2]
    # Below 20 and 3: THIN's are 37 and 6.
    assert top_half.instructions == (19, 19, 19)
    assert top_half.lines <= 4  # of 32 bytes
    assert direct.instructions[1] <= 292
    assert own.instructions[1] <= 710
    # The clock says the same: from the edge on, with what comes before the vector's first instruction.
    sketch = context.folder / "own"
    done = context.run_sketch(sketch, duration=module.DURATION, scenario_text=module.PIN)
    (entry,) = done.report["interrupts"]
    assert abs(1_000 * entry["max_delay_us"] - own.instructions[2]) <= 120, (entry, own)
