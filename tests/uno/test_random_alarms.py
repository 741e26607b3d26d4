"""Random alarms in the timer's interrupt beside random loops that take all the time they get: each loop has
its budget in each period, none responds later than its bound, and no alarm comes later than it may."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import rounds
from tests.sketches import kept

from hocket.uno_images import writes

Run = Callable[..., Any]
Built = Callable[[Path], Path]
Broken = Callable[..., list[str]]

MHZ = 16
# An event without its handler, and an interrupt's frame, from above (us).
EVENT_US = 105
# An event spares its loop more than it takes, from above (tests/uno/test_alarm_interrupt.py).
SPARED_US = 8
# The kernel at work, from above: the longest that it declares.
KERNEL_US = 450
ROUNDS = rounds(10, 200, "HOCKET_ALARM_ROUNDS")


@dataclass(frozen=True)
class Set:
    alarms: tuple[tuple[int, int], ...]  # period and length of the handler (us)
    loops: tuple[tuple[int, int], ...]  # budget and period (ms)
    tick: int = 0  # of the periodic time base (us)

    def budget_us(self) -> int:
        """What the handlers take at most in 2 ms: no alarm has a period of less than 1 ms. And each of them
        once more, as events that the kernel has delayed may come shortly before the next ones."""
        return 3 * self.each_us()

    def each_us(self) -> int:
        return sum(length + EVENT_US for _, length in self.alarms)

    def late_us(self) -> int:
        """Behind the kernel's work, behind all other handlers, and at a tick."""
        return KERNEL_US + self.each_us() + self.tick

    def text(self) -> str:
        made = "".join(
            f"void turn{n}() {{ delayMicroseconds({length}); PORT{'BCD'[n]} ^= 1 << 4; }}\n"
            f"Handler_Function handler{n}(&turn{n});\n"
            for n, (_, length) in enumerate(self.alarms)
        )
        begun = "".join(
            f"  static Alarm alarm{n}({period}, &handler{n}, Alarm::INFINITE);\n"
            for n, (period, _) in enumerate(self.alarms)
        )
        loops = "".join(
            f"void loop({n}, {budget}, {period}) {{ for (;;) {{}} }}\n"
            for n, (budget, period) in enumerate(self.loops, 1)
        )
        head = f"#define HOCKET_ALARM_INTERRUPT {self.budget_us()}us, 2ms\n" if self.alarms else ""
        return f"{head}#include <TimeServices.h>\n{made}void setup() {{\n{begun}}}\n{loops}"


def drawn(seed: int) -> Set:
    rng = random.Random(f"alarms {seed}")
    alarms = tuple(
        (
            rng.choice((1_000, 1_300, 2_000, 3_700, rng.randrange(1_000, 20_000))),
            rng.randrange(0, 60),
        )
        for _ in range(rng.randint(1, 3))
    )
    tick = rng.choice((0, 0, 300, 500))
    loops = []
    left = (
        0.95
        - (30 / tick if tick else 0)
        - 1.5 * sum(length + EVENT_US for _, length in alarms) / 1_000
    )
    for _ in range(rng.randint(1, 3)):
        period = rng.choice((20, 50, 70, 100, 200))
        budget = int(period * left * rng.uniform(0.2, 0.8))
        if budget >= 2:
            loops.append((budget, period))
            left -= (budget + 1) / period
    return Set(alarms, tuple(loops) or ((2, 50),), tick)


def test_alarms_and_loops_keep_what_is_promised(uno: Run, built: Built, broken: Broken) -> None:
    """So many sets that are admitted, of those that are drawn."""
    left = ROUNDS
    for seed in count(1):
        if left == 0:
            return
        assert seed < 20 * ROUNDS + 20, "hardly a set is admitted"
        one = drawn(seed)
        sketch = kept("alarms", one.text())
        done = uno(sketch, "1100ms")
        if done.status == 3:
            continue
        left -= 1
        assert done.status == 0, (seed, done.said)
        always = set(range(1, len(one.loops) + 1))
        longest = max(period for _, period in one.loops) * 1_000
        events = sum(longest / period for period, _ in one.alarms)
        spared = int(SPARED_US * events / done.report["overheads"]["context_switch_us"]) + 1
        assert broken(done.report, always=always, resumed=spared) == [], (seed, one)
        assert not any("used up" in notice for notice in done.report["notices"]), (seed, one)
        check_alarms(one, built(sketch), seed)


def check_alarms(one: Set, image: Path, seed: int) -> None:
    found = writes(image, "BCD"[0], 900_000 // one.alarms[0][0], 3)
    for n, (period, length) in enumerate(one.alarms):
        instants = [cycle / MHZ for port, cycle in found if port == "BCD"[n]]
        if len(instants) < 2:
            continue
        # Relative to the event that came soonest after its instant.
        late = [at - k * period for k, at in enumerate(instants)]
        assert max(late) - min(late) <= one.late_us(), (seed, one, n, length)


@pytest.mark.parametrize("alarms", [0, 2])
def test_loops_that_leave_handlers_no_time_are_refused(uno: Run, alarms: int) -> None:
    full = Set(((1_000, 0),) * alarms, ((90, 100),))
    done = uno(kept("alarms", full.text()), "600ms")
    assert done.status == (3 if alarms else 0), done.said
    assert ("cannot guarantee" in done.said) == bool(alarms)
