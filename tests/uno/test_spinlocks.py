"""Spinlocks mask interrupts on the Uno: for how long is bounded, counted in admission, and shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form, one_in
from tests.sketches import kept
from tests.uno.test_missed_on_uno import loops_of

Run = Callable[..., Any]

HOLDS = """
#include <util/delay.h>
Spinlock lock;
void hold(unsigned us) { for (; us > 0; us -= 50) _delay_us(49.5); }
void setup() { spinlockLock(lock); hold(2000); spinlockUnlock(lock); }  // alone: as long as it likes
void loop(1, 10, 100) { spinlockLock(lock); hold(@); spinlockUnlock(lock); delay(20); }
void loop(2, 10, 100) { delay(3); }
"""
LONGEST = 300


@long_form
def test_a_hold_is_measured_and_counted(uno: Run) -> None:
    free = uno(
        kept("free", re.sub(r"spinlock\w+\(lock\);", "", HOLDS).replace("@", "250")), "300ms"
    ).report
    done = uno(kept("holds", HOLDS.replace("@", "250")), "300ms")
    assert done.status == 0, done.said
    overheads = done.report["overheads"]
    assert overheads["spinlock_blocking_us"] == LONGEST
    assert 245 <= overheads["longest_spinlock_seen_us"] <= 270
    assert free["overheads"]["spinlock_blocking_us"] == 0
    assert free["overheads"]["longest_spinlock_seen_us"] == 0
    more = loops_of(done.report)[1]["response_bound_us"] - loops_of(free)[1]["response_bound_us"]
    assert (
        LONGEST <= more <= 4 * LONGEST
    )  # once as blocking, and once for each budget that ends late


def test_what_would_fit_without_a_lock_is_refused(uno: Run) -> None:
    text = "Spinlock lock;\nvoid setup() {}\nvoid loop(1, 1300us, 2500us) { delay(1); }\n"
    text += "void loop(2, 1, 100) { @ delay(1); }\n"
    assert uno(kept("fits", text.replace("@", "")), "50ms").status == 0
    locks = text.replace("@", "spinlockLock(lock); spinlockUnlock(lock);")
    assert uno(kept("locks", locks), "50ms").status == 3


@one_in(3)
@pytest.mark.parametrize("held", [400, 3_000, 32_000, 40_000])
def test_who_holds_a_lock_for_too_long_is_stopped(uno: Run, held: int) -> None:
    done = uno(kept("long", HOLDS.replace("@", str(held))), "300ms")
    assert done.status == 1
    (fault,) = done.report["faults"]
    assert (fault["loop"], fault["kind"]) == (1, "stopped")
    assert fault["text"].startswith("a spinlock was held for longer than the 300 us")


def test_a_lock_given_back_before_a_later_one_is_seen(uno: Run) -> None:
    """It would mask interrupts for good, and no loop but this one would run any more."""
    text = """
    Spinlock first, second;
    void setup() { Serial.begin(115200); }
    void loop(1, 10, 100) {
      spinlockLock(first); spinlockLock(second); spinlockUnlock(@A); spinlockUnlock(@B); delay(20);
    }
    void loop(2, 10, 100) { delay(30); Serial.println("on"); }
    """
    nested = text.replace("@A", "second").replace("@B", "first")
    done = uno(kept("nested", nested), "100ms")
    assert done.status == 0, done.said
    assert done.serial.count("on") >= 2
    done = uno(kept("crossed", text.replace("@A", "first").replace("@B", "second")), "100ms")
    (fault,) = done.report["faults"]
    assert (fault["loop"], fault["kind"]) == (1, "stopped")
    assert "before a later one" in fault["text"]


def test_a_sketch_without_declared_loops_has_no_guarantee_to_keep(uno: Run) -> None:
    text = """
    #include <util/delay.h>
    Spinlock lock;
    void setup() { Serial.begin(115200); }
    void loop() { spinlockLock(lock); _delay_us(3000); spinlockUnlock(lock); Serial.print('.'); delay(10); }
    """
    done = uno(kept("plain", text), "100ms")
    assert done.status == 0 and done.serial.startswith(".....")


MANY = """#include <TimeServices.h>
Handler_Function nothing([] {});
Alarm* all[20];
Alarm* make(int i) { return new Alarm(20000u + i * 1777u % 9000u, &nothing, Alarm::INFINITE); }
void setup() { for (int i = 0; i < 20; ++i) all[i] = make(i); }
void loop(1, 5, 100) { static byte i; delete all[i]; all[i] = make(i); i = (i + 7) % 20; delay(3); }
"""


@long_form
def test_the_librarys_own_locks_are_held_for_less(uno: Run, tmp_path: Path) -> None:
    done = uno(kept("many", MANY), "4s")
    assert done.status == 0, done.said
    assert 50 < done.report["overheads"]["longest_spinlock_seen_us"] < LONGEST - 50
