"""What boards/sim/costs.h declares of the kernel bounds what runs show, at the worst inputs that a search
finds.

Random sets of loops that compute, sleep (many until the same instant), wake each other through semaphores
from core to core, hold spinlocks, handle interrupts, want sections of noInterrupts() and end in one of the
ways in which a loop ends. A few runs for each policy in every run of the suite,
a hundred with `hocket self-test --long`, N with HOCKET_SIM_COSTS=N.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.campaign import in_turn, rounds
from tests.sketches import kept, start

from hocket.boards import POLICIES, find_board
from hocket.builder import build_sketch
from hocket.costs import masked_by_direct_handlers
from hocket.scenario import load
from hocket.sketch.folder import find_sketch

RUNS = rounds(4, 100, "HOCKET_SIM_COSTS")
COSTS = ("interrupt_entry_us", "context_switch_us", "timer_interrupt_us", "longest_masked_us")
PINS = (2, 3, 4)
SHORTEST_US = 20  # of a budget
ROOM_US = 60  # of a period for each loop, with what the kernel takes

# The run's seed decides what each loop does, and how long it computes and sleeps.
SKETCH = """
#include "TimeServices.h"

uint32_t mix(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}
constexpr uint32_t naps[] = {500, 3000, 20000, 100000, 1000000, 5000000};  // ns
constexpr uint32_t works[] = {3, 20, 100, 1000};
struct Draw {
  uint32_t state;
  uint32_t below(uint32_t n) { return (state = state * 1664525u + 1013904223u) / 256 % n; }
} draws[256];
uint32_t seed, shortest_nap, grid, most_work;
Semaphore given[4] = {Semaphore(0), Semaphore(0), Semaphore(0), Semaphore(0)};
Spinlock locks[2];
volatile uint32_t sink;
uint8_t acts[256];

void work(uint32_t n) { while (n-- > 0) sink = sink + 1; }
void nap(uint64_t ns) { hocket::sys::sleep_until_ns(hocket::sys::now_ns() + ns); }
void sleep_until_next(uint64_t ns) {
  hocket::sys::sleep_until_ns((hocket::sys::now_ns() / ns + 1) * ns);
}
void hold(unsigned from, Draw& draw) {
  for (unsigned i = from; i < 2; i++) spinlockLock(locks[i]);
  work(draw.below(200));
  for (unsigned i = 2; i-- > from;) spinlockUnlock(locks[i]);
}
// In one of the ways in which a loop ends: in a section, with a lock, or with nothing.
void stop_for_good(unsigned id) {
  if (id % 2 == 0) noInterrupts();
  if (id % 3 == 0) spinlockLock(locks[0]);
  if (id % 5 == 0) abort();
  *(volatile int*)nullptr = 1;
}
void act(unsigned id) {
  Draw& draw = draws[id];
  if (mix(seed + 5) % 3 == 0) {  // all of them: who ends one tells many that wait, each for a while
    noInterrupts();
    work(draw.below(3000));
    if (id % 3 == 0) nap(draw.below(shortest_nap) + 1);
    return interrupts();
  }
  const bool changes = mix(seed + 4) % 4 == 0;
  if (mix(seed * 17 + id) % 8 == 0 && ++acts[id] > mix(seed * 13 + id) % 64) stop_for_good(id);
  switch (changes ? draw.below(13) : mix(seed * 31 + id) % 13) {
    case 0: work(most_work * 30); break;
    case 1: work(draw.below(most_work)); nap(draw.below(shortest_nap) + 1); break;
    case 2: work(draw.below(most_work)); sleep_until_next(grid); break;
    case 3: work(draw.below(most_work)); given[draw.below(4)].v(); break;
    case 4: given[id % 4].p(); work(draw.below(most_work)); break;
    case 5: given[id % 4].p(draw.below(shortest_nap) / 1000); work(draw.below(most_work)); break;
    case 6: hold(draw.below(2), draw); nap(draw.below(shortest_nap) + 1); break;
    case 7: hold(0, draw); work(most_work); break;
    case 8: sleep_until_next(grid * (1 + id % 3)); given[id % 4].v(); break;
    case 9: noInterrupts(); work(draw.below(50)); interrupts(); nap(draw.below(shortest_nap) + 1); break;
    case 10: noInterrupts(); work(most_work); interrupts(); break;
    case 11: noInterrupts(); nap(draw.below(shortest_nap) + 1); interrupts(); break;
    case 12: noInterrupts(); hold(draw.below(2), draw); nap(draw.below(shortest_nap) + 1); interrupts();
  }
}
void edge() { work(draws[0].below(40)); given[draws[0].below(4)].v(); }
void short_edge() { work(20); }
void setup() {
  seed = (uint32_t)hocket::sys::entropy();
  for (unsigned i = 0; i < 256; i++) draws[i].state = mix(seed + 77 * i);
  shortest_nap = naps[mix(seed + 1) % 6];
  grid = naps[2 + mix(seed + 2) % 4];
  most_work = works[mix(seed + 3) % 4];
  attachInterruptVcpu(2, edge, CHANGE, 300us, 10ms);
  attachInterrupt(3, edge, CHANGE);
  attachInterruptDirect(4, short_edge, CHANGE, 8us, 400us);
}
"""


def sketch(loops: int, draw: random.Random) -> str:
    lines = [SKETCH]
    for number in range(1, loops + 1):
        if draw.random() < 0.3:
            lines.append(
                f"void periodic({number}, 30us, 100ms) {{ work(draws[{number}].below(most_work)); }}"
            )
        else:
            lines.append(f"void loop({number}, 30us, 100ms) {{ act({number}); }}")
    return "\n".join(lines) + "\n"


def budgets(loops: int, cores: int, draw: random.Random) -> list[str]:
    """Options: of equal, harmonic or random periods, all of them a share of what the cores have."""
    base = max(draw.choice((300, 1_000, 5_000, 20_000)), loops * ROOM_US // cores)
    kind = draw.randrange(3)
    share = draw.choice((0.2, 0.4, 0.6)) * cores
    weights = [draw.uniform(0.2, 1) for _ in range(loops)]
    options = []
    for number, weight in enumerate(weights, 1):
        period = (2 * base, base << draw.randrange(3), draw.randrange(base, 5 * base))[kind]
        budget = int(min(share * weight / sum(weights), 0.5) * period) - SHORTEST_US
        options += ["--loop", f"{number}:{max(budget, SHORTEST_US)}000:{period}000"]
    return options


def edges(draw: random.Random, tmp_path: Path) -> list[str]:
    lines = ["parts:"]
    for pin in PINS:
        what = draw.choice(
            (
                f"frequency: {draw.choice((1, 3, 10))} kHz",
                "gaps: {shortest: 1 us, longest: 400 us}",
                "gaps: {shortest: 100 us, longest: 2 ms}",
            )
        )
        lines.append(f"  g{pin}: {{type: generator, pin: {pin}, {what}}}")
    file, flat = tmp_path / "edges.yaml", tmp_path / "edges.flat"
    file.write_text("\n".join(lines) + "\n")
    flat.write_text(load(file))
    return ["--scenario", str(flat)]


@in_turn(3)
@pytest.mark.parametrize("cores", [1, 2, 4])
@pytest.mark.parametrize("loops", [5, 60])
@pytest.mark.parametrize("policy", POLICIES)
def test_no_run_exceeds_a_declared_cost(
    policy: str, loops: int, cores: int, tmp_path: Path
) -> None:
    folder = kept(f"costs{loops}", sketch(loops, random.Random(f"{loops}")))
    image = build_sketch(find_sketch(str(folder)), find_board("sim"), policy=policy)
    most = dict.fromkeys(COSTS, 0.0)
    seed = accepted = 0
    while accepted < RUNS:
        seed += 1
        assert seed < 30 * RUNS, "too few sets were accepted"
        draw = random.Random(f"{policy} {loops} {cores} {seed}")
        options = (*budgets(loops, cores, draw), *edges(draw, tmp_path))
        outcome = start(image, 0.03, tmp_path / "facts.json", cores, seed, options)
        if outcome.status == 3:
            continue
        assert outcome.status == bool(outcome.report["faults"]), outcome.errors
        accepted += 1
        declared = outcome.report["overheads"]
        seen = declared["kernel_seen"]
        # Direct handlers are masked, and counted apart.
        direct = masked_by_direct_handlers(outcome.report)
        over = [c for c in COSTS if seen[c] > declared[c] + direct * (c == "longest_masked_us")]
        assert over == [], f"{over} of {declared}: {options}"
        most = {cost: max(most[cost], seen[cost]) for cost in COSTS}
    assert most["interrupt_entry_us"] > 0.1 and most["timer_interrupt_us"] > 0.5
    assert most["context_switch_us"] > 2.5, most


SECTIONS = """
volatile int edges;
void edge() { edges = edges + 1; }
void setup() { attachInterrupt(digitalPinToInterrupt(2), edge, RISING); }
void loop(1, 700us, 50ms) {
  static int calls;
  if (++calls > 17) { noInterrupts(); *(volatile int*)nullptr = 1; }
  delay(1);
}
void loop(2, 350us, 20ms) { noInterrupts(); for (;;) __asm__ volatile(""); }
"""


def test_a_crash_masks_no_longer_beside_more_loops(tmp_path: Path) -> None:
    """Those that waited for the section of a loop that crashes are told in that loop's own time."""
    scenario = tmp_path / "edges.flat"
    (tmp_path / "edges.yaml").write_text(
        "parts: {g: {type: generator, pin: 2, frequency: 300 Hz}}\n"
    )
    scenario.write_text(load(tmp_path / "edges.yaml"))
    longest = []
    for others in (20, 200):
        text = SECTIONS + "".join(
            f"void loop({number}, 25us, {90_000 + 13 * number}us) {{ delay(1); }}\n"
            for number in range(10, 10 + others)
        )
        image = build_sketch(
            find_sketch(str(kept(f"crash{others}", text))), find_board("sim"), policy="vcpu"
        )
        outcome = start(image, 0.4, tmp_path / "facts.json", options=("--scenario", str(scenario)))
        assert [fault["loop"] for fault in outcome.report["faults"]] == [1]
        longest.append(outcome.report["overheads"]["kernel_seen"]["longest_masked_us"])
    assert longest[1] < longest[0] + 2, longest
