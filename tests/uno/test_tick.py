"""The periodic time base on the Uno: HOCKET_TICK()."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run_hocket
from tests.sketches import kept

from hocket.uno_images import writes

Run = Callable[..., Any]
Built = Callable[[Path], Path]

MHZ = 16
# kTickFrame in arduino/cores/avr8/tick_costs.h, in cycles.
FRAME = 56 * 8

SPINNING = """#include <TimeServices.h>
HOCKET_TICK(1ms)
void setup() { DDRD = 0xf0; }
void loop(1, 60, 100) { for (;;) PORTD ^= 1 << 4; }
"""


def test_a_tick_takes_no_more_than_its_loop_is_spared(built: Built) -> None:
    """From outside: what the turns of a loop that never waits are longer by, once in each millisecond."""
    instants = [cycle for _, cycle in writes(built(kept("spinning", SPINNING)), "D", 40_000, 5)]
    turns = [after - before for before, after in pairwise(instants)]
    usual = statistics.mode(turns)
    longer = [
        turn - usual for turn in turns if turn > usual + 60
    ]  # the clock's overflow is shorter
    seconds = (instants[-1] - instants[0]) / (MHZ * 1_000_000)
    assert abs(len(longer) - 1_000 * seconds) <= 2
    ticks = sorted(longer)[: len(longer) - 2]  # without the loop's first moments
    assert max(ticks) <= FRAME, ticks[-5:]
    assert statistics.median(ticks) >= 0.8 * FRAME, "more is spared than a tick takes"


WORKING = """#include <TimeServices.h>
%s
volatile unsigned long done;
void setup() { Serial.begin(115200); }
void loop(1, 20, 100) { for (;;) ++done; }
void loop(2, 10, 200) { for (;;) {} }
void loop(3, 6, 50) { Serial.println(done); delay(40); }
"""


def work(serial: str) -> int:
    counts = [int(line) for line in serial.splitlines() if line.strip().isdigit()]
    return counts[-1] - counts[0]


def test_loops_keep_their_work(uno: Run) -> None:
    one_shot, tick = (
        uno(kept("working", WORKING % line), "2s") for line in ("", "HOCKET_TICK(1ms)")
    )
    assert one_shot.status == 0 and tick.status == 0, tick.said
    assert work(tick.serial) >= 0.985 * work(one_shot.serial)
    assert tick.report["counters"]["timer_interrupts"] == pytest.approx(1_996, abs=4)
    assert one_shot.report["counters"]["timer_interrupts"] < 300
    for loop in tick.report["loops"]:
        assert loop["deadline_misses"] == 0
        assert loop["max_response_us"] <= loop["response_bound_us"]


ALARMS = """%s
#define HOCKET_ALARM_INTERRUPT 300us, 1ms
#include <TimeServices.h>
void turn() { PORTD ^= 1 << 4; }
Handler_Function handler(&turn);
void setup() { DDRD = 0xf0; static Alarm alarm(1500, &handler, Alarm::INFINITE); }
void loop(1, 20, 100) { for (;;) {} }
HOCKET_TICK(1ms)
"""


@pytest.mark.parametrize("policy", ["vcpu", "edf"])
def test_events_come_at_ticks(built: Built, policy: str) -> None:
    """An alarm of 1.5 ms: 1 and 2 ms apart in turn, and no error adds up."""
    sketch = kept("ticking", ALARMS % (f"HOCKET_POLICY({policy})" if policy != "vcpu" else ""))
    instants = [cycle for _, cycle in writes(built(sketch), "D", 400, 5)]
    gaps = [round((after - before) / MHZ / 1_000, 1) for before, after in pairwise(instants)]
    assert set(gaps) <= {0.9, 1.0, 1.1, 1.9, 2.0, 2.1}, sorted(set(gaps))
    assert statistics.fmean(gaps) == pytest.approx(1.5, abs=0.01)


@pytest.mark.parametrize("period", ["50us", "20", "100us + 300ns"])
def test_ticks_that_cannot_be_are_refused(uno: Run, period: str) -> None:
    text = SPINNING.replace("1ms", period)
    done = uno(kept("spinning", text), "10ms")
    assert done.status == 2
    if "ns" not in period:
        assert "from 100 us to 16 ms" in done.said


@pytest.mark.parametrize("board", ["sim", "virt"])
def test_other_boards_say_that_they_have_the_other_base(board: str) -> None:
    done = run_hocket("check", "--board", board, kept("spinning", SPINNING))
    assert done.returncode == 2
    assert "one-shot time base only; leave the line out, or use --board uno" in done.stderr
