"""Linux's side of experiments, with little work: the same as ours does, and what Linux makes of it."""

from __future__ import annotations

from types import ModuleType

import pytest
from tests.campaign import long_form

from hocket.bench import LINUX, load_experiment
from hocket.linux import comparison


@pytest.fixture
def stock(monkeypatch: pytest.MonkeyPatch) -> str:
    """One kernel is enough to see that a measurement works: its label."""
    monkeypatch.setattr(comparison, "KERNELS", {"linux": "Linux"})
    return "Linux"


def part(name: str) -> ModuleType:
    return load_experiment(name, LINUX)


@long_form
def test_two_threads_win_the_waiting_time(stock: str) -> None:
    """Primes below 10,000 take 15 ms and so do the waits; judged by the pins."""
    (times,) = part("multi-loop").measure(10_000, 8, (2,), 1_229)[stock]
    assert 10 < times.primes_alone < 20 and 16 < times.writes_alone < 18
    both = times.primes_alone + times.writes_alone
    assert times.one_thread == pytest.approx(both, rel=0.02)
    # A wait may end at one of Linux's ticks of 4 ms: in a run this short that is much of the gain.
    assert times.two_threads < 0.75 * times.one_thread


@long_form
def test_a_run_repeats(stock: str) -> None:
    module = part("multi-loop")
    first, second = (module.measure(2_000, 8, (1,), 303) for _ in range(2))
    assert first == second


@long_form
def test_only_a_deadline_has_a_budget(stock: str) -> None:
    measured = part("loop-predictability").measure((30,), 100, 15)
    counts = {(case.of_class, case.beside): counts for _, case, counts in measured}
    whole = max(counts["SCHED_FIFO", "4 threads"])
    assert min(counts["SCHED_FIFO", "4 threads"]) < 0.8 * whole  # 50 ms in a second are others'
    for name in ("SCHED_DEADLINE", "SCHED_DEADLINE, HRTICK_DL"):
        for beside in ("4 threads", "4 restless"):
            budgeted = counts[name, beside]
            assert sum(budgeted) / len(budgeted) == pytest.approx(0.3 * whole, rel=0.03)
    restless = counts["SCHED_OTHER", "4 restless"]
    assert max(restless) > 1.1 * min(restless)


@long_form
def test_each_way_to_a_pin_has_its_price(stock: str) -> None:
    costs, received = part("gpio-cost").measure(4_000, 20, 5, 10, lambda r: [r(1_000), r(500_000)])[
        stock
    ]
    mapped, device, sysfs = costs
    assert mapped.write_ns < 30 and 500 < device.write_ns < 5_000 < 3 * sysfs.write_ns
    assert received[0] == 20 and received[1] < 10_000


@long_form
def test_a_storm_takes_what_a_thread_has(stock: str) -> None:
    cases = part("interrupt-isolation").measure((1_000, 100_000), 200)[stock]
    tested = {(case.of_class, case.attached, case.rate): case.tested for case in cases}
    usual = tested["SCHED_OTHER", False, 100_000]
    assert tested["SCHED_OTHER", True, 1_000] > 0.95 * usual
    assert tested["SCHED_OTHER", True, 100_000] < 0.5 * usual


@long_form
def test_edges_reach_a_thread(stock: str) -> None:
    longest = {}
    for each in part("event-delivery").measure(200, 1)[stock]:
        assert 50 <= each.seen <= 200 and min(each.delays) > 1_000
        longest[each.of_class] = max(each.delays)
    usual, fixed, behind_loops = longest.values()
    assert max(usual, fixed) < 1_000_000 < 15_000_000 < behind_loops


@long_form
def test_only_budgets_keep_works_apart(stock: str) -> None:
    found = {
        (each.of_class, each.loop): each
        for each in part("loop-isolation").measure(30_000, 3_245)[stock]
    }
    for loop in (1, 2, 3):
        usual, budgeted = found["SCHED_OTHER", loop], found["SCHED_DEADLINE", loop]
        assert usual.together > 1.5 * usual.alone
        assert budgeted.together < 1.5 * budgeted.alone


@long_form
def test_two_threads_drive_at_their_own_pace(stock: str) -> None:
    rovers = part("rover").measure(2_000, 1, 100)[stock]
    two, one = rovers["two threads"], rovers["one thread"]
    assert two.intervals_ms[2] < 101 and 329 < one.intervals_ms[2] < 332
    assert two.reactions_ms[0] < 110 < 200 < one.reactions_ms[0]
