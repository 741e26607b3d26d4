"""What boards/virt/costs.h declares of the kernel bounds what runs show, at the worst inputs that a search
finds.

The sets are those of the simulated board (test_costs_of_sim.py). The product's own firmware runs; a plugin of
QEMU counts its instructions (tests/kernel_costs.py). A run by priorities and one by deadlines in every run of
the suite, many and the other policies with `hocket self-test --long`, N with HOCKET_VIRT_COSTS=N.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from tests.campaign import long_form, rounds
from tests.kernel_costs import observed
from tests.sketches import kept, start
from tests.system.test_costs_of_sim import budgets, edges, sketch

from hocket.boards import find_board
from hocket.builder import Image, build_sketch
from hocket.sketch.folder import find_sketch

RUNS = rounds(1, 20, "HOCKET_VIRT_COSTS")
REFUSED = 3
# Of the sets so far the one whose switch took longest: what a suite's single run begins with.
WORST = {"vcpu": 2, "edf": 2, "hybrid-edf": 5}
CASES = [("vcpu", 60), ("edf", 60)]
MORE = [
    ("hybrid-edf", 60),
    ("vcpu", 200),
    ("edf", 200),
    ("vcpu", 5),
    ("mlq", 60),
    ("bitmap", 60),
    ("lottery", 60),
]


def image_of(policy: str, loops: int, draw: random.Random) -> Image:
    """The budgets are the sketch's own: a board's firmware has no option for them."""
    text = sketch(loops, draw)
    for number, budget, period in (each.split(":") for each in budgets(loops, 1, draw)[1::2]):
        declared = f"({number}, {int(budget) // 1000}us, {int(period) // 1000}us)"
        text = re.sub(rf"\({number}, 30us, 100ms\)", declared, text)
    folder = kept(f"costs{loops}", text)
    return build_sketch(find_sketch(str(folder)), find_board("virt"), policy=policy)


@pytest.mark.parametrize(
    ("policy", "loops"), [*CASES, *(pytest.param(*each, marks=long_form) for each in MORE)]
)
def test_no_run_exceeds_a_declared_cost(policy: str, loops: int, tmp_path: Path) -> None:
    most: dict[str, int] = {}
    declared: dict[str, float] = {}
    seed = WORST.get(policy, 1) - 1
    accepted = 0
    while accepted < RUNS:
        seed += 1
        assert seed < WORST.get(policy, 1) + 30 * RUNS, "too few sets were accepted"
        draw = random.Random(f"{policy} {loops} 1 {seed}")
        image = image_of(policy, loops, draw)
        options = edges(draw, tmp_path)
        with observed(image) as seen:
            outcome = start(image, 0.03, tmp_path / "facts.json", 1, seed, tuple(options))
        if outcome.status == REFUSED:
            continue
        faults = outcome.report["faults"]  # some of the loops crash
        assert outcome.status == (1 if faults else 0), outcome.errors
        assert all("in stop_for_good" in fault["text"] for fault in faults), faults
        accepted += 1
        declared = outcome.report["overheads"]
        over = {
            cost: (count, seen.places[cost])
            for cost, count in seen.most.items()
            if count > 1000 * declared[f"{cost}_us"]  # a tick is an instruction, and a nanosecond
        }
        assert over == {}, f"{over} of {declared}: seed {seed}"
        most = {cost: max(most.get(cost, 0), count) for cost, count in seen.most.items()}
    assert most["interrupt_entry"] > 20
    if (policy, loops) in CASES:  # an interrupt that changes nothing does not come in every set
        assert most["timer_interrupt"] > 200
    # (It has looked at what is dear: a declared value is at most two and a half times what one run shows.)
    assert most["context_switch"] > 400 * declared["context_switch_us"], most
    assert most["longest_masked"] >= most["context_switch"]
