"""What boards/uno/costs.h declares of the kernel bounds what runs show, at the worst inputs that a search
finds: random sets of loops, and from the worst so far sets that differ in a few numbers.

Some steps in every run of the suite, hundreds with `hocket test --long`, N with HOCKET_UNO_COSTS=N.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.campaign import rounds
from tests.uno.conftest import Run

STEPS = rounds(4, 200, "HOCKET_UNO_COSTS")
COSTS = ("interrupt_entry_us", "context_switch_us", "timer_interrupt_us", "longest_masked_us")
PERIODS = (7, 10, 13, 20, 25, 40, 50, 80)  # ms

# {w}: a time in microseconds, {c}: a count.
BODIES = (
    "delayMicroseconds({w}); nap({w} * 1000ULL);",
    "delayMicroseconds({w});",
    "static uint8_t k; delayMicroseconds({w} / 4 + 30); if (++k % {c} == 0) delay({c}); "
    "else nap({w} * 700ULL);",
    "for (uint8_t i = 0; i < {w} % 23 + 1; i++) delayMicroseconds({w} / 8 + 20); nap({c} * 100000ULL);",
)
HEAD = (
    "void setup() {}\n"
    "void nap(uint64_t ns) { hocket::sys::sleep_until_ns(hocket::sys::now_ns() + ns); }\n"
)
Loop = tuple[str, int, int, int, int, int]  # kind, C (us), T (ms), body, time, count


def a_loop(rng: random.Random, others: int) -> Loop:
    period = rng.choice(PERIODS)
    budget = rng.randint(700, max(701, 540 * period // others))
    kind = rng.choice(("loop", "loop", "loop", "periodic"))
    body = rng.randrange(len(BODIES))
    return kind, budget, period, body, rng.randint(50, 3000), rng.randint(1, 40)


def a_set(rng: random.Random) -> list[Loop]:
    count = rng.randint(2, 7)
    return [a_loop(rng, count) for _ in range(count)]


def changed(rng: random.Random, loops: list[Loop]) -> list[Loop]:
    others = list(loops)
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(others))
        kind, budget, period, body, time, count = others[place]
        fresh = a_loop(rng, len(others))
        others[place] = (
            kind,
            rng.choice((budget, fresh[1])),
            rng.choice((period, fresh[2])),
            rng.choice((body, fresh[3])),
            rng.choice((time, fresh[4], max(20, time * rng.randint(50, 170) // 100))),
            rng.choice((count, fresh[5])),
        )
    return others


def text(loops: list[Loop]) -> str:
    lines = [HEAD]
    for number, (kind, budget, period, body, time, count) in enumerate(loops, 1):
        work = BODIES[body].format(w=time, c=count)
        if kind == "periodic":
            work = f"delayMicroseconds({min(time, budget) // 2 + 10});"
        lines.append(f"void {kind}({number}, {budget}us, {period}ms) {{ {work} }}\n")
    return "".join(lines)


@pytest.mark.parametrize("policy", ["vcpu", "edf", "hybrid-edf"])
def test_no_run_exceeds_a_declared_cost(uno: Run, tmp_path: Path, policy: str) -> None:
    rng = random.Random(f"costs {policy}")
    folder = tmp_path / "costs"
    folder.mkdir()
    worst: list[Loop] = []
    most = accepted = 0.0
    for _ in range(50 * STEPS):
        loops = changed(rng, worst) if worst and rng.random() < 0.7 else a_set(rng)
        (folder / "costs.ino").write_text(text(loops))
        done = uno(folder, "800ms", "--policy", policy)
        if done.status == 3:
            continue
        assert done.status == 0, done.said
        declared = done.report["overheads"]
        seen = declared["kernel_seen"]
        over = {cost: seen[cost] for cost in COSTS if seen[cost] > declared[cost]}
        assert over == {}, f"{over} of {declared}\n{text(loops)}"
        assert seen["context_switch_us"] > 50 and seen["interrupt_entry_us"] > 3
        if seen["context_switch_us"] >= most:
            most, worst = seen["context_switch_us"], loops
        accepted += 1
        if accepted == STEPS:
            return
    raise AssertionError("too few sets were accepted")
