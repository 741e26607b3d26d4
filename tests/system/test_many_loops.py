"""2 to 255 loops of equal, harmonic and random periods on one core, released together.

A decision must not grow with the number of loops, under any policy: what is masked stays within the declared
cost. Under the policies with a promise each loop gets all of its C, and each call ends within its bound.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.campaign import in_turn, one_in, rounds
from tests.promises import broken_promises
from tests.sketches import kept, start

from hocket.boards import POLICIES, find_board
from hocket.builder import build_sketch
from hocket.sketch.folder import find_sketch

# How much of the core is handed out, with what the kernel costs: any set of loops fits.
SHARE = {"vcpu": 0.65, "edf": 0.97, "hybrid-edf": 0.97}
SHORTEST_US = 50_000
ACTIVATION_US = 27  # w on sim, at most
AHEAD_US = 15  # by which each may be ahead of its budget, once
MARGIN_US = 40  # in every period besides: how far a body's work may be from what is counted for it
BLOCK_NS = 20
PERIODS_US: dict[str, Callable[[random.Random, int], list[int]]] = {
    "equal": lambda draw, n: [100_000] * n,
    "harmonic": lambda draw, n: [SHORTEST_US << draw.randrange(3) for _ in range(n)],
    "random": lambda draw, n: [draw.randrange(SHORTEST_US, 5 * SHORTEST_US) for _ in range(n)],
}
COUNTS = (2, 16, 64, 255)
SEEDS = range(rounds(1, 5, "HOCKET_MANY_LOOPS"))


def sketch(kind: str, n: int, share: float, seed: int) -> tuple[str, set[int]]:
    """The text, and the loops that always have work. The others call a function that uses its C up nearly."""
    draw = random.Random(f"{kind} {n} {seed}")
    weights = [draw.uniform(0.2, 1) for _ in range(n)]
    lines = ["volatile uint32_t count[256];", "void setup() {}"]
    spinning = set()
    for number, (period, weight) in enumerate(
        zip(PERIODS_US[kind](draw, n), weights, strict=True), 1
    ):
        whole = int(share * weight / sum(weights) * period)
        budget = max(whole - ACTIVATION_US, ACTIVATION_US + MARGIN_US)
        body = f"count[{number}] = count[{number}] + 1;"
        if draw.random() < 0.5:
            spinning.add(number)
            lines.append(f"void loop({number}, {budget}us, {period}us) {{ for (;;) {body} }}")
        else:
            times = max(0, budget - MARGIN_US) * 1000 // BLOCK_NS // 2
            lines.append(
                f"void periodic({number}, {budget}us, {period}us) "
                f"{{ for (uint32_t i = 0; i < {times}; i++) {body} }}"
            )
    return "\n".join(lines) + "\n", spinning


@in_turn(2)
@one_in(7)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", PERIODS_US)
@pytest.mark.parametrize("n", COUNTS)
@pytest.mark.parametrize("policy", POLICIES)
def test_a_decision_does_not_grow_with_the_number_of_loops(
    policy: str, n: int, kind: str, seed: int, tmp_path: Path
) -> None:
    share = SHARE.get(policy, 0.9) - n * AHEAD_US / SHORTEST_US
    text, spinning = sketch(kind, n, share, seed)
    folder = kept(f"{kind}-{n}", text)
    image = build_sketch(find_sketch(str(folder)), find_board("sim"), policy=policy)
    options = ("--policy", policy) if policy != "vcpu" else ()
    outcome = start(image, 1.1, tmp_path / "facts.json", options=options)
    assert outcome.status == 0, outcome.errors
    costs = outcome.report["overheads"]
    assert costs["longest_masked_seen_us"] <= costs["longest_masked_us"]
    if policy not in SHARE:
        return
    late = costs["timer_lateness_us"] + costs["longest_masked_us"]
    assert broken_promises(outcome.report, late, spinning) == []
    for loop in outcome.report["loops"]:
        if loop["id"] not in spinning:
            assert loop["iterations"] >= outcome.report["duration_us"] // loop["period_us"] - 1
