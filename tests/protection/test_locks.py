"""Spinlocks and semaphores that the sketch works by itself, on virt: used well, used wrongly, and lied about.

What a loop says of its locks lies around its thread pointer (lock_record.h), and a semaphore's count is a
word of the sketch: both can hold anything.
"""

from __future__ import annotations

import itertools
import re

import pytest
from tests.campaign import long_form, one_in
from tests.sketches import Outcome, Run

HEAD = """
#include <Hocket.h>
#include <TimeServices.h>
Spinlock shared, other, third, fourth, fifth;
volatile unsigned rounds = 0;
volatile unsigned seen_in_lock = 0, seen_without = 0, looks = 0;
volatile bool in_lock = false, without = false;
uint64_t state = 88172645463325252ull;
uint64_t any() { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
void setup() { Serial.begin(115200); }
"""

# The victims: a periodic loop above all others, one below it, and who uses the lock rightly.
BESIDE = """
void periodic(1, 100us, 1ms) { looks++; seen_in_lock += in_lock; seen_without += without; }
void loop(2, 2, 20) { delayMicroseconds(1000); }
void loop(3, 1, 10) { spinlockLock(shared); rounds++; spinlockUnlock(shared); delayMicroseconds(7); }
"""


def beside(run_virt: Run, name: str, body: str, cores: int = 1, seconds: float = 0.4) -> Outcome:
    text = f"{HEAD}{BESIDE}void loop(4, 5, 40) {{ {body} }}\n"
    return run_virt(name, seconds, text, cores=cores)


TWICE = "locks a spinlock that it holds already"
WRONGS = {
    "locks it twice": ("spinlockLock(shared); spinlockLock(shared);", TWICE),
    "locks an outer one twice": (
        "spinlockLock(shared); spinlockLock(other); spinlockLock(shared);",
        TWICE,
    ),
    "unlocks only": ("spinlockUnlock(shared);", "unlocks a spinlock that it does not hold"),
    "unlocks in the wrong order": (
        "spinlockLock(shared); spinlockLock(other); spinlockUnlock(shared);",
        "or not as the last one it took",
    ),
    "holds too many": (
        "spinlockLock(shared); spinlockLock(other); spinlockLock(third); spinlockLock(fourth); "
        "spinlockLock(fifth);",
        "holds too many spinlocks at once (4)",
    ),
    "locks what is not its own": ("spinlockLock((Spinlock*)0x40080000);", ""),
    "faults with three": (
        "spinlockLock(other); spinlockLock(shared); spinlockLock(third); *(volatile int*)8 = 1;",
        "",
    ),
}


@one_in(7)
@pytest.mark.parametrize("cores", [1, pytest.param(2, marks=long_form)])
@pytest.mark.parametrize("wrong", WRONGS)
def test_a_wrong_use_stops_the_loop_and_gives_its_locks_back(
    run_virt: Run, wrong: str, cores: int
) -> None:
    body, text = WRONGS[wrong]
    outcome = beside(run_virt, f"lock-{wrong.replace(' ', '-')}", f"delay(31); {body}", cores)
    fault = outcome.faults[4]
    assert text in fault["text"]
    assert fault["kind"] == ("call" if text else "bad access")
    assert outcome.broken_bounds([1, 2]) == []
    assert outcome.loop(3)["iterations"] > 3_000, "the lock is free again"


@long_form
def test_four_are_held_and_given_back(run_virt: Run) -> None:
    locks = ("shared", "other", "third", "fourth")
    take = " ".join(f"spinlockLock({lock});" for lock in locks)
    give = " ".join(f"spinlockUnlock({lock});" for lock in reversed(locks))
    outcome = beside(run_virt, "lock-four", f"{take} {give}")
    assert outcome.faults == {}
    assert outcome.loop(4)["iterations"] > 10_000
    assert outcome.loop(3)["iterations"] > 3_000


@long_form
def test_who_holds_a_lock_is_not_preempted_by_a_loop_of_its_core(run_virt: Run) -> None:
    """Seen by a loop above: never inside, though it comes often enough to see it without the lock."""
    body = """
  for (int i = 0; i < 50; i++) {
    spinlockLock(shared); in_lock = true;
    delayMicroseconds(10 + any() % 17);
    in_lock = false; spinlockUnlock(shared);
    without = true; delayMicroseconds(10 + any() % 17); without = false;
  }"""
    told = "Serial.print(seen_in_lock); Serial.print(' '); Serial.println(seen_without);"
    text = f"""{HEAD}{BESIDE}
void loop(4, 25, 40) {{ {body} }}
void loop(5, 1, 40) {{ delay(1); if (looks > 300) {{ {told} delay(1000); }} }}
"""
    outcome = run_virt("lock-unseen", 0.5, text)
    inside, without = map(int, outcome.said.split())
    assert inside == 0
    assert without > 10, "the lock is what keeps it out"
    assert outcome.broken_bounds([1, 2, 3]) == []


SAID = "(__builtin_thread_pointer());"
LOST = ", ".join(f'"x{n}"' for n in range(19))
ABUSES = {
    "holds it for long": (
        "spinlockLock(shared); delayMicroseconds(30000); spinlockUnlock(shared); delay(20);"
    ),
    "sleeps with it": "spinlockLock(shared); delay(30); spinlockUnlock(shared);",
    "keeps it for ever": "spinlockLock(shared); for (;;) delayMicroseconds(1000);",
    "takes it again and again": (
        "for (;;) { spinlockLock(other); delayMicroseconds(45); spinlockUnlock(other); }"
    ),
    "says it holds one, always": (
        f"volatile uint32_t* said = (uint32_t*){SAID}"
        " for (;;) { said[0] = (uint32_t)(uint64_t)&other; said[1] = 0; }"
    ),
    "says so, and tells the kernel": (
        f"volatile uint32_t* said = (uint32_t*){SAID}"
        f' for (;;) {{ said[0] = 1; asm volatile("mov x8, #27\\n\\tsvc #0" ::: {LOST}, "memory"); }}'
    ),
    "gives it back whenever it was let go on": (
        f"volatile uint32_t* said = (uint32_t*){SAID} for (;;) {{ said[0] = 16; if (said[1] != 0) {{"
        f' said[1] = 0; asm volatile("mov x8, #27\\n\\tsvc #0" ::: {LOST}, "memory"); }} }}'
    ),
    "writes anything there": (
        f"volatile uint64_t* said = (uint64_t*){SAID}"
        " for (;;) { said[(int64_t)(any() % 10) - 8] = any() >> (any() % 64);"
        " if (any() % 64 == 0) delay(1); }"
    ),
    "moves its thread pointer": (
        'for (;;) { asm volatile("msr tpidr_el0, %0" :: "r"((uint64_t)&state + 4096)); rounds++; }'
    ),
}


@one_in(5)
@pytest.mark.parametrize("cores", [pytest.param(1, marks=long_form), 2])
@pytest.mark.parametrize("abuse", ABUSES)
def test_an_abuse_harms_those_who_share_the_lock_alone(
    run_virt: Run, abuse: str, cores: int
) -> None:
    name = "lock-" + re.sub("[^a-z]+", "-", abuse)
    outcome = beside(run_virt, name, f"delay(31); {ABUSES[abuse]}", cores, seconds=0.2)
    assert outcome.faults == {}
    assert outcome.broken_bounds([1, 2]) == []


GUARDED = """
volatile unsigned long work;
void periodic(1, 1, 10) {{ looks++; }}
void loop(2, 3, 60) {{ {body} }}
void loop(6, 20, 100) {{ for (;;) work = work + 1; }}
void periodic(7, 100us, 100ms) {{
  spinlockLock(other); spinlockUnlock(other);  // the liar's record counts only where locks are used
  Serial.println(work);
}}
"""


@pytest.mark.parametrize("cores", [1, 4])
def test_a_loop_that_forges_its_record_takes_nothing_from_a_guard(
    run_virt: Run, cores: int
) -> None:
    """The guard's useful work, counted by itself and told in each of its periods: as without the liar. What
    the liar has of the core is its C, and where nobody else wants it what is left."""

    def told(name: str, body: str) -> tuple[list[int], Outcome]:
        outcome = run_virt(name, 1, HEAD + GUARDED.format(body=body), cores=cores)
        assert outcome.broken_bounds([1, 6, 7]) == []
        counts = [int(line) for line in outcome.said.split()]
        return [after - before for before, after in itertools.pairwise(counts)], outcome

    honest, _ = told("lock-guard-honest", "spinlockLock(shared); rounds++; spinlockUnlock(shared);")
    abuse = ABUSES["gives it back whenever it was let go on"]
    forged, outcome = told("lock-guard", abuse)
    assert len(forged) >= 8
    # The loop's own beginning is in the first period.
    assert min(forged[1:]) >= min(honest[1:]) * 0.999, (forged, honest)
    if cores == 1:
        most = outcome.loop(2)["max_cpu_per_period_us"]
        assert most <= 3_000 + 50, "C, and the longest hold once"


@long_form
def test_forged_counts_harm_those_who_wait_there_alone(run_virt: Run) -> None:
    """Loops wait at words into which one writes anything; two others have semaphores of their own."""
    text = f"""{HEAD}
alignas(4) int counts[4];
Semaphore ping(0), pong(0);
Semaphore& at(unsigned i) {{ return *(Semaphore*)&counts[i % 4]; }}
void waits() {{ if (any() % 3) at(any()).p(any() % 300); else at(any()).v(); }}
void periodic(1, 100us, 1ms) {{ looks++; }}
void loop(2, 1, 10) {{ waits(); }}
void loop(3, 1, 10) {{ waits(); }}
void loop(4, 1, 10) {{ waits(); }}
void loop(5, 1, 10) {{ waits(); }}
void loop(6, 1, 10) {{
  counts[any() % 4] = any() % 2 ? -(int)(any() % 12) : (int)any();
  delayMicroseconds(3);
}}
void loop(7, 1, 20) {{ ping.v(); pong.p(); rounds++; }}
void loop(8, 1, 20) {{ ping.p(); pong.v(); }}
"""
    for cores in (1, 3):
        outcome = run_virt("forged-counts", 0.5, text, cores=cores, seed=cores)
        assert outcome.faults == {}
        assert outcome.report["end"] == "time"
        assert outcome.broken_bounds([1]) == []
        assert outcome.loop(7)["iterations"] > 300
