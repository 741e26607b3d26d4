"""Interrupts beside spinlocks: who holds one is not preempted by a handler, and a direct handler that faults
with one gives it back. And handlers of two cores at the pins of one group."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import except_virt, long_form, one_in
from tests.interrupts import generators, interrupts, loop, on, run

BOARDS = ("sim", "virt")

# The loop below holds the lock half of the time, the handler above it looks.
HELD = """
#include <Hocket.h>
Spinlock lock;
volatile bool inside = false, between = false;
volatile unsigned long calls = 0, seen_inside = 0, seen_between = 0;
void seen() { ++calls; seen_inside += inside; seen_between += between; }
void setup() {
  Serial.begin(115200);
  attachInterruptVcpu(2, seen, CHANGE, 2, 10);
}
void loop(1, 40, 100) {
  spinlockLock(lock); inside = true;
  delayMicroseconds(3 + random(24));
  inside = false; spinlockUnlock(lock);
  between = true; delayMicroseconds(3 + random(24)); between = false;
  if (millis() < 350) return;
  Serial.print(calls); Serial.print(' '); Serial.print(seen_inside); Serial.print(' ');
  Serial.print(seen_between); Serial.println(" seen");
  delay(1000);
}
"""


@pytest.mark.parametrize("board", except_virt(BOARDS))
def test_who_holds_a_spinlock_goes_on_before_a_top_half(tmp_path: Path, board: str) -> None:
    """It is raised before the interrupt's work is done, so the handler never sees it inside."""
    edges = generators([2], "gaps: {shortest: 0.1 ms, longest: 0.9 ms}, start: 3 ms")
    status, said, report = run(tmp_path, "held", HELD, edges, "480ms", *on(board))
    assert status == 0, said
    line = next(line for line in said.splitlines() if line.endswith("seen"))
    calls, inside, between = map(int, line.split()[:3])
    assert inside == 0
    assert between > 50, "the lock is what keeps it out"
    (entry,) = interrupts(report).values()
    assert calls > 500 and entry["delivered"] >= calls
    assert 0 < entry["max_delay_us"] <= entry["delay_bound_us"]
    for each in report["loops"]:
        assert each["deadline_misses"] == 0, each
        assert each["max_response_us"] <= each["response_bound_us"], each


# The direct handler takes the lock in each call and keeps it in the fifth, which it does not survive.
KEPT = """
#include <Hocket.h>
Spinlock lock, second;
volatile unsigned long calls = 0, rounds = 0, after = 0;
void bad() {
  if (++calls < 5) { if (calls < 4) { spinlockLock(second); spinlockUnlock(second); } return; }
  spinlockLock(lock);
  spinlockLock(second);
  WRONG
  spinlockUnlock(second);
  spinlockUnlock(lock);
}
void setup() {
  Serial.begin(115200);
  attachInterruptDirect(2, bad, RISING, 40us, 2ms);
}
void loop(1, 20, 100, onCore(LAST)) {
  // Away from the handler's edges: on its own core it would wait for who it has interrupted.
  const unsigned long at = micros() % 5000;
  if (at > 3000) return delayMicroseconds(50);
  if (at < 500) return delayMicroseconds(50);
  spinlockLock(lock); spinlockLock(second);
  ++rounds;
  if (calls >= 5) ++after;
  spinlockUnlock(second); spinlockUnlock(lock);
}
void loop(2, 5, 100) {
  if (millis() < 250) return delay(10);
  Serial.print(rounds); Serial.print(' '); Serial.print(after); Serial.println(" rounds");
  delay(1000);
}
"""
ENDS = {
    "faults": "*(volatile int*)(1L << 40) = 1;",
    "does what is no call": "spinlockUnlock(lock);",
    "takes too long": "for (;;) { }",
}


@one_in(7)
@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize(
    ("board", "end"),
    # On sim nobody can interrupt a direct handler, to end it.
    [(board, end) for board in BOARDS for end in ENDS if (board, end) != ("sim", "takes too long")],
)
def test_a_direct_handler_that_ends_badly_gives_its_locks_back(
    tmp_path: Path, board: str, cores: int, end: str
) -> None:
    text = f"#define LAST {cores - 1}\n" + KEPT.replace("WRONG", ENDS[end])
    edges = generators([2], "frequency: 200 Hz, start: 4 ms")
    name = f"kept-{list(ENDS).index(end)}-{cores}"
    status, said, report = run(tmp_path, name, text, edges, "300ms", *on(board, cores))
    ended_by_limit = end == "takes too long"
    assert status == (0 if ended_by_limit else 1), said
    assert len(report["faults"]) == (0 if ended_by_limit else 1)
    assert interrupts(report)[2]["delivered"] == 5  # and it is detached
    rounds, after = map(int, next(x for x in said.splitlines() if x.endswith("rounds")).split()[:2])
    assert after > 100, (rounds, after)
    assert loop(report, 2)["deadline_misses"] == 0


# Two handlers on two cores at pins of one group, and a third one beside it.
SAME = """
volatile unsigned long calls[8], elsewhere[8];
template <int pin, int core> void seen() {
  ++calls[pin];
  if (hocket::sys::core_id() != core) ++elsewhere[pin];
}
void setup() {
  Serial.begin(115200);
  interruptsVcpu(500us, 10);
  interruptsVcpu(1, 10, forPins(4, 5));
  attachInterruptVcpu(2, (seen<2, 0>), CHANGE, 500us, 10, onCore(0));
  attachInterruptVcpu(4, (seen<4, 0>), CHANGE, 1, 10, onCore(0));
  attachInterruptVcpu(5, (seen<5, 1>), CHANGE, 1, 10, onCore(1));
}
void loop(1, 50, 100, onCore(0)) { }
void loop(2, 50, 100, onCore(1)) { }
void loop(3, 1, 50) {
  if (millis() < 450) return delay(10);
  const int pins[] = {2, 4, 5};
  for (int pin : pins) { Serial.print(calls[pin]); Serial.print(' '); }
  for (int pin : pins) { Serial.print(elsewhere[pin]); Serial.print(' '); }
  Serial.println("seen");
  delay(1000);
}
"""


@pytest.mark.parametrize("board", except_virt(BOARDS))
def test_handlers_of_two_cores_at_one_group_of_pins(tmp_path: Path, board: str) -> None:
    edges = generators(
        [2, 4, 5], "gaps: {shortest: 0.2 ms, longest: 1.9 ms}, start: 3 ms, count: 300"
    )
    status, said, report = run(tmp_path, "same", SAME, edges, "480ms", *on(board, 2))
    assert status == 0, said
    found = interrupts(report)
    assert sum(each["kind"] == "io" for each in report["loops"]) == 2
    for entry in found.values():
        assert entry["edges"] + entry["may_have_merged"] == 300, entry
        assert entry["delivered"] == entry["edges"], entry
        if board == "sim":  # on several cores virt's time is indicative
            assert entry["may_have_merged"] == 0
            assert 0 < entry["max_delay_us"] <= entry["delay_bound_us"], entry
    numbers = next(line for line in said.splitlines() if line.endswith("seen")).split()[:-1]
    assert list(map(int, numbers[:3])) == [found[pin]["delivered"] for pin in (2, 4, 5)]
    assert list(map(int, numbers[3:])) == [0, 0, 0], "each on its own core"
    for number in (1, 2):
        if board == "sim":
            assert loop(report, number)["deadline_misses"] == 0
            assert loop(report, number)["min_cpu_per_period_us"] >= 50_000


# The direct handler interrupts who holds the lock on its core, and waits until its length is over. Meanwhile
# the other core's loop has drawn the ticket behind it.
BEHIND = """
#include <Hocket.h>
Spinlock lock;
volatile unsigned long turns;
void waits() { spinlockLock(lock); spinlockUnlock(lock); }
void setup() { Serial.begin(115200); attachInterruptDirect(2, waits, RISING, 3ms, 40ms); }
void loop(1, 60, 100, onCore(0)) {
  if (millis() > 150) return delay(10);
  spinlockLock(lock); delayMicroseconds(900); spinlockUnlock(lock);
}
void loop(2, 50, 100, onCore(1)) { spinlockLock(lock); ++turns; spinlockUnlock(lock); }
void loop(3, 5, 100, onCore(1)) {
  delay(300);
  const unsigned long before = turns;
  delay(100);
  Serial.print("turns "); Serial.println(turns > before ? "go on" : "have ended");
  delay(9999);
}
"""


@long_form
def test_who_stands_behind_an_ended_handler_gets_the_lock(tmp_path: Path) -> None:
    edges = generators([2], "edges: [30 ms, 31 ms, 90 ms, 91 ms]")
    status, said, report = run(tmp_path, "behind", BEHIND, edges, "501ms", *on("virt", 2))
    assert status == 0, said
    (entry,) = interrupts(report).values()
    assert entry["delivered"] == 1
    assert "the direct handler of pin 2 took" in " ".join(report["notices"])
    assert "turns go on" in said.splitlines()
