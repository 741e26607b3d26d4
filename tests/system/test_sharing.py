"""Spinlocks, channels and ring buffers between loops on several cores, used well and badly."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.campaign import except_virt, one_in

Report = dict[str, Any]
Run = Callable[..., tuple[int, str, Report]]
Broken = Callable[..., list[str]]


def numbers(line: str) -> dict[str, int]:
    """«lost 0 total 12» as a dictionary."""
    return {word: int(value) for word, value in re.findall(r"(\w+) (-?\d+)", line)}


@one_in(3)
@pytest.mark.parametrize(("cores", "seed"), [(2, 1), (3, 1), (3, 2), (5, 3)])
def test_a_spinlock_excludes_loops_of_all_cores(
    run: Run, broken: Broken, cores: int, seed: int
) -> None:
    status, text, report = run("locked-counter", 0.7, cores=cores, seed=seed)
    assert status == 0
    assert broken(report, spinning={1, 2, 3, 4, 5}) == []
    last = numbers(text.splitlines()[-1])
    assert (last["intruders"], last["lost"]) == (0, 0)
    assert last["total"] > 50_000


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_the_longest_hold_is_in_the_report(run: Run, board: str) -> None:
    text = """Spinlock lock;
    void setup() {}
    void loop(1, 10, 100) {
      spinlockLock(lock); delayMicroseconds(30); spinlockUnlock(lock); delay(20);
    }
    void loop(2, 10, 100) {
      spinlockLock(lock); delayMicroseconds(12); spinlockUnlock(lock); delay(3);
    }
    """
    _, _, report = run("longest-hold", 0.2, text, board=board)
    assert 30 <= report["overheads"]["longest_spinlock_seen_us"] <= 36


KEEPS = "void loop(1, 10, 100) { spinlockLock(lock); for (;;) delay(1); }\n"
WAITS = "void loop(2, 10, 100) { delay(30); spinlockLock(lock); spinlockUnlock(lock); }\n"
OTHER = "void loop(3, 10, 100) { delay(10); }\n"


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_a_lock_that_setup_keeps_is_told(run: Run, board: str) -> None:
    """A loop that waits for it has no fault, and does nothing: the report says what it waits for."""
    text = "Spinlock lock;\nvoid setup() { spinlockLock(lock); }\n" + WAITS + OTHER
    status, _, report = run("setup-keeps", 0.5, text, board=board)
    assert status == 0
    assert [loop["iterations"] > 40 for loop in report["loops"]] == [False, True]
    (told,) = [notice for notice in report["notices"] if "spinlock" in notice]
    assert told == (
        "loop 2 waits for a spinlock that setup() took and never gave back: "
        "unlock it before setup() ends"
    )


def test_a_lock_that_a_loop_keeps_is_told(run: Run) -> None:
    status, _, report = run("loop-keeps", 0.5, "Spinlock lock;\nvoid setup() {}\n" + KEEPS + WAITS)
    assert status == 0
    (told,) = [notice for notice in report["notices"] if "spinlock" in notice]
    assert told == (
        "loop 2 waits for a spinlock that loop 1 keeps: unlock it after a few microseconds"
    )


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_of_a_lock_that_setup_gave_back_nothing_is_said(run: Run, board: str) -> None:
    held = "spinlockLock(lock); spinlockUnlock(lock);"
    text = f"Spinlock lock;\nvoid setup() {{ {held} }}\n" + WAITS.replace("30", "3") + OTHER
    _, _, report = run("setup-gives-back", 0.5, text, board=board)
    assert report["loops"][0]["iterations"] > 100
    assert [notice for notice in report["notices"] if "spinlock" in notice] == []


def test_setup_that_locks_twice_is_told(run: Run) -> None:
    text = "Spinlock lock;\nvoid setup() { spinlockLock(lock); spinlockLock(lock); }\n" + OTHER
    status, _, report = run("setup-twice", 0.2, text)
    assert (status, report["end"]) == (1, "fault")
    assert report["faults"][0]["text"].startswith("locks a spinlock that it holds already")


ABUSES = {
    "holds it for long": ("lock(); delayMicroseconds(30000); unlock(); delay(20);", None),
    "sleeps with it": ("lock(); delay(30); unlock();", None),
    "keeps it for ever": ("delay(33); lock(); for (;;) delayMicroseconds(1000);", None),
    "faults with it": ("delay(33); lock(); *(volatile int*)8 = 1;", "bad access"),
    "locks it twice": ("delay(33); lock(); lock();", "locks a spinlock that it holds already"),
    "unlocks the outer one first": (
        "delay(33); lock(); spinlockLock(own); unlock();",
        "unlocks a spinlock that it does not hold, or not as the last one it took",
    ),
    "unlocks only": ("delay(33); unlock();", "unlocks a spinlock that it does not hold"),
}


@one_in(5)
@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("abuse", ABUSES)
def test_an_abused_spinlock_harms_only_those_who_use_it(
    run: Run, broken: Broken, abuse: str, cores: int
) -> None:
    body, fault = ABUSES[abuse]
    pinned = f", onCore({cores - 1})"
    text = f"""\
Spinlock shared, own;
volatile unsigned rounds = 0;
void lock() {{ spinlockLock(shared); }}
void unlock() {{ spinlockUnlock(shared); }}
void setup() {{}}
void loop(1, 2, 10) {{ delayMicroseconds(3000); }}
void loop(2, 2, 10) {{ lock(); rounds++; unlock(); delayMicroseconds(5); }}
void loop(3, 2, 20{pinned}) {{ delayMicroseconds(3000); }}
void loop(4, 2, 20{pinned}) {{ {body} }}
void loop(5, 2, 40{pinned}) {{ delayMicroseconds(3000); }}
"""
    status, _, report = run(f"lock-{abuse.replace(' ', '-')}-{cores}", 0.5, text, cores=cores)
    assert broken(report, spinning={1, 3, 5}) == []
    if fault is None:
        assert (status, report["faults"]) == (0, [])
    else:
        assert status == 1
        (entry,) = report["faults"]
        assert entry["loop"] == 4
        assert fault in entry["text"] or fault == entry["kind"]
        # The lock was given back: the other user goes on to the end.
        assert report["loops"][1]["iterations"] > 10_000


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_items_cross_cores_whole_and_in_order(run: Run, broken: Broken, seed: int) -> None:
    status, text, report = run("channels", 0.35, cores=3, seed=seed)
    assert status == 0
    assert broken(report, spinning={1, 2, 3, 4}) == []
    last = numbers(text.splitlines()[-1])
    assert (last["torn"], last["backwards"], last["wrong"]) == (0, 0, 0)
    assert last["reads"] > 20_000
    assert last["received"] > 2_000
