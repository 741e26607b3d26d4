"""What had the core during a late call on the Uno, and how long loops waited for budget."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest
from tests.sketches import Outcome, kept, start

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.sketch.folder import find_sketch
from hocket.timing import budget_wait_line, misses_line

DISPATCH, WAKE, RELEASE = 1, 2, 10

WORK = (
    "void setup() {}\nvoid work(unsigned long ms) { while (ms-- > 0) delayMicroseconds(1000); }\n"
)


def run(text: str, policy: str, folder: Path, seconds: float) -> Outcome:
    image = build_sketch(find_sketch(str(kept("late", text))), find_board("uno"), policy=policy)
    options = ("--log", str(folder / "log.hklog"))
    return start(image, seconds, folder / "facts.json", options=options)


def parts_of(call: dict[str, Any]) -> float:
    own = sum(call[part] for part in ("own_us", "waiting_us", "no_budget_us", "rest_us"))
    return float(own + sum(other["time_us"] for other in call["others"]))


def test_a_miss_that_another_loop_causes_names_it(tmp_path: Path) -> None:
    text = WORK + "void periodic(1, 20, 50) { work(19); }\nvoid periodic(2, 39, 70) { work(38); }\n"
    outcome = run(text, "bitmap", tmp_path, 2)
    call = outcome.loop(2)["late_call"]
    assert parts_of(call) == pytest.approx(call["response_us"], abs=0.001)
    assert call["response_us"] == pytest.approx(outcome.loop(2)["max_response_us"], rel=0.001)
    (other,) = call["others"]
    assert other["loop"] == 1 and other["time_us"] == pytest.approx(38_000, rel=0.02)
    said = misses_line(outcome.report["loops"])
    assert "loop 1 took 38" in said and "raise C" not in said and "delay()" not in said, said


def test_waiting_is_told(tmp_path: Path) -> None:
    outcome = run(WORK + "void periodic(1, 10, 50) { work(1); delay(60); }\n", "vcpu", tmp_path, 1)
    call = outcome.loop(1)["late_call"]
    assert call["waiting_us"] == pytest.approx(60_000, abs=1000)
    assert parts_of(call) == pytest.approx(call["response_us"], abs=0.001)
    assert "the longest late call waited" in misses_line(outcome.report["loops"])


# Two loops that wake each other, as often as their budgets allow: none is ever used up.
TURNS = """
#include <hocket/Semaphore.h>
Semaphore first(0), second(0);
void setup() {}
void loop(1, 3, 10) { first.p(); second.v(); }
void loop(2, 40, 100) { first.v(); second.p(); }
"""


def test_a_wait_for_budget_is_told_where_none_was_used_up(tmp_path: Path) -> None:
    """Against the event log: a woken loop that is not switched to before its release waits until then."""
    outcome = run(TURNS, "vcpu", tmp_path, 1)
    records = (tmp_path / "log.hklog").read_bytes()[16:]
    usable, waits = {}, {1: [0], 2: [0]}
    for time, _, kind, thread, _, value in struct.iter_unpack("<QBBHIQ", records):
        if kind == RELEASE:
            usable[thread] = value
        elif kind == WAKE and usable.get(thread, 0) > time and thread in waits:
            waits[thread].append(min(usable[thread], 10**9) - time)
    for number, each in waits.items():
        loop = outcome.loop(number)
        assert loop["budget_exhausted"] == 0
        assert loop["longest_budget_wait_us"] == pytest.approx(max(each) / 1000, abs=1)
        assert loop["budget_wait_us"] == pytest.approx(sum(each) / 1000, rel=0.001, abs=1)
    assert max(waits[1]) > 1_000_000
    assert "waited for budget: loop 1 " in budget_wait_line(outcome.report["loops"])
