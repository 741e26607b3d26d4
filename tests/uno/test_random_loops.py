"""Random sets of loops on the simulated Uno: what admission promises is what they get.

A set in every run of the suite, a hundred with `hocket self-test --long`, N with HOCKET_UNO_SETS=N.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import rounds

from hocket.trace.eventlog import EventKind, read_log
from hocket.trace.states import timeline

Run = Callable[..., Any]
Broken = Callable[..., list[str]]

SETS = rounds(1, 100, "HOCKET_UNO_SETS")

HEAD = """\
void setup() {{}}
// A random number below: each loop has its own sequence.
uint16_t draw(uint16_t below) {{
  static uint16_t states[8];
  uint16_t& state = states[hocket::sys::loop_id() & 7];
  if (state == 0) state = {seed}u + 977u * hocket::sys::loop_id();
  state ^= state << 7;
  state ^= state >> 9;
  state ^= state << 8;
  return state % below;
}}
// In hundreds of microseconds.
void work(uint16_t most) {{ for (uint16_t n = draw(most + 1); n > 0; --n) delayMicroseconds(100); }}
void rest(uint16_t most) {{
  hocket::sys::sleep_until_ns(hocket::sys::now_ns() + uint64_t{{draw(most + 1)}} * 100000);
}}
"""

# {c}, {t}: budget and period in hundreds of microseconds.
LOOPS = {
    "spins": "work({c});",
    "rests": "work({c}); rest(2 * {t});",
    "suspends": "work({c} / 3); rest({t} / 3);",
    "mixed": "if (draw(3)) work(4 * {c}); else rest(3 * {t} / 2);",
    "bursts": "if (draw(20)) rest({t} / 10); else work(9 * {c});",
}
PERIODIC = {"on time": "work({c} / 2);", "overruns": "work(draw(6) ? {c} / 2 : 3 * {c});"}


def random_set(rng: random.Random) -> tuple[str, set[int], set[int]]:
    """A sketch; the ids of its loops that always have work, and of those that make themselves late."""
    text = HEAD.format(seed=rng.randrange(1, 60_000))
    always: set[int] = set()
    unruly: set[int] = set()
    shares = [rng.uniform(0.05, 0.35) for _ in range(rng.randint(1, 5))]
    scale = min(1.0, rng.uniform(0.3, 0.7) / sum(shares))
    for number, share in enumerate(shares, 1):
        period = rng.choice([10, 20, 25, 40, 50, 80, 100])
        budget = max(700, int(share * scale * period * 1000))
        units = {"c": max(1, budget // 100), "t": period * 10}
        if rng.random() < 0.35:
            deadline = rng.randint((budget + period * 1000) // 2, period * 1000)
            behaviour = rng.choice(list(PERIODIC))
            head = f"void periodic({number}, {budget}us, {period}ms, {deadline}us, stackBytes(200))"
            body = PERIODIC[behaviour].format(**units)
            unruly |= {number} if behaviour == "overruns" else set()
        else:
            behaviour = rng.choice(list(LOOPS))
            head = f"void loop({number}, {budget}us, {period}ms, stackBytes(200))"
            body = LOOPS[behaviour].format(**units)
            always |= {number} if behaviour == "spins" else set()
        text += f"{head} {{ {body} }}\n"
    return text, always, unruly


def most_resumed(file: Path, always: set[int]) -> int:
    """How often one of the loops that always have work went on after another one, in one of its periods."""
    log = read_log(file)
    spans = timeline(log).cores[0]
    most = 0
    for thread in always:  # the n-th loop is thread n
        releases = [
            e.value for e in log.events if (e.kind, e.thread) == (EventKind.RELEASE, thread)
        ]
        mine = [span for span in spans if span.thread == thread]
        for begin, end in pairwise(releases):
            parts = sum(span.end > begin and span.start < end for span in mine)
            most = max(most, parts - 1)
    return most


@pytest.mark.parametrize("number", range(SETS))
def test_every_promise_is_kept(uno: Run, broken: Broken, tmp_path: Path, number: int) -> None:
    rng = random.Random(f"uno {number}")
    for attempt in range(20):
        text, always, unruly = random_set(rng)
        folder = tmp_path / f"random-{number}-{attempt}"
        folder.mkdir()
        (folder / f"{folder.name}.ino").write_text(text)
        log = tmp_path / "log.hklog"
        done = uno(folder, "2s", "--trace", log)
        if done.status == 3:
            assert done.report["admission"]["reasons"] != []
            continue
        assert (done.status, done.report["faults"]) == (0, []), done.said
        assert broken(done.report, always, unruly, most_resumed(log, always)) == [], text
        return
    raise AssertionError("no set was accepted")
