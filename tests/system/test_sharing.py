"""Spinlocks, channels and ring buffers between loops on several cores, used well and badly."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

Report = dict[str, Any]
Run = Callable[..., tuple[int, str, Report]]
Broken = Callable[..., list[str]]


def numbers(line: str) -> dict[str, int]:
    """«lost 0 total 12» as a dictionary."""
    return {word: int(value) for word, value in re.findall(r"(\w+) (-?\d+)", line)}


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


@pytest.mark.parametrize("board", ["sim", "virt"])
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


ABUSES = {
    "holds it for long": ("lock(); delayMicroseconds(30000); unlock(); delay(20);", None),
    "sleeps with it": ("lock(); delay(30); unlock();", None),
    "keeps it for ever": ("delay(33); lock(); for (;;) delayMicroseconds(1000);", None),
    "faults with it": ("delay(33); lock(); *(volatile int*)8 = 1;", "bad access"),
    "locks it twice": ("delay(33); lock(); lock();", "locks a spinlock that it holds already"),
    "unlocks only": ("delay(33); unlock();", "unlocks a spinlock that it does not hold"),
}


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("abuse", ABUSES)
def test_an_abused_spinlock_harms_only_those_who_use_it(
    run: Run, broken: Broken, abuse: str, cores: int
) -> None:
    body, fault = ABUSES[abuse]
    pinned = f", onCore({cores - 1})"
    text = f"""\
Spinlock shared;
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
