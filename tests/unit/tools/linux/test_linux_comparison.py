"""Linux's side of experiments: what the pins and the programs tell is read as it is meant."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from hocket.bench import LINUX, experiments, has_linux, load_experiment
from hocket.errors import HocketError
from hocket.linux import comparison
from hocket.linux.build import Linux
from hocket.linux.comparison import Job, Machine, Outcome, intervals
from hocket.linux.console import read_console


def test_a_line_was_high_between_a_rise_and_a_fall() -> None:
    assert intervals([(0, 0), (5, 1), (7, 1), (9, 0), (11, 0), (12, 1), (20, 0), (30, 1)]) == [
        (5, 9),
        (12, 20),
    ]
    assert intervals([]) == []


def test_a_program_that_fails_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    up, ended = (
        b"hocket-linux: up 6.1 cores 1 uptime 1.0\n",
        b"hocket-linux: job ended with status ",
    )
    machine = Machine(Linux(tmp_path, "linux-rt", "6.1", 1, 1, ()), {})
    for said, status in ((b"SCHED_DEADLINE", 1), (b"fine", 0)):
        seen = read_console(up + said + b": no\n" + ended + b"%d uptime 2.0\n" % status)
        monkeypatch.setattr(comparison, "run_guest", lambda *_, seen=seen: seen)
        if status == 0:
            assert machine.run(Job("./x")).text == "fine: no\n"
            continue
        with pytest.raises(HocketError, match="failed on PREEMPT_RT") as told:
            machine.run(Job("./x"))
        assert "ended with status 1" in told.value.cause
        assert "SCHED_DEADLINE: no" in told.value.cause


def test_every_linux_side_has_programs() -> None:
    with_linux = [name for name in experiments() if has_linux(name)]
    assert "multi-loop" in with_linux
    for name in with_linux:
        file = load_experiment(name, LINUX).__file__
        assert file is not None and file.endswith(f"bench/{name}/on_linux.py")


# --- E3 ---

SAID = (
    "did 3 primes 0 writes\ndid 0 primes 2 writes\ndid 3 primes 2 writes\ndid 3 primes 2 writes\n"
)
HIGH = {
    0: [(100, 300), (1_000, 1_200), (2_001, 2_199)],
    1: [(10, 60), (1_200, 1_250), (2_000, 2_050)],
    2: [(100, 200), (1_000, 1_100), (2_001, 2_100)],
}


def test_works_are_told_apart_by_their_pins() -> None:
    module = load_experiment("multi-loop", LINUX)
    (times,) = module.read(Outcome(SAID, HIGH), 2, [2], 3)
    took = (times.writes_alone, times.primes_alone, times.one_thread, times.two_threads)
    assert (times.wait_ms, *(round(ms * 1e6) for ms in took)) == (2, 200, 50, 250, 199)


@pytest.mark.parametrize(
    ("text", "high"),
    [
        (SAID.replace("3 primes", "2 primes", 1), HIGH),
        (SAID, HIGH | {2: HIGH[2][1:]}),
        (SAID, HIGH | {0: HIGH[0][1:]}),
        ("", {0: [], 1: [], 2: []}),
    ],
)
def test_work_that_was_not_done_is_told(text: str, high: dict[int, list[tuple[int, int]]]) -> None:
    module = load_experiment("multi-loop", LINUX)
    with pytest.raises(HocketError, match="was not done on Linux"):
        module.read(Outcome(text, high), 2, [2], 3)


# --- E4 ---


def test_counts_belong_to_their_runs() -> None:
    module = load_experiment("loop-predictability", LINUX)
    text = "counted 5\ncounted 6\nend\ncounted 7\ncounted 8\nend\n"
    assert module.read(text, 2, 2) == [[5, 6], [7, 8]]
    for wrong in ("", text.replace("counted 7\n", ""), text + text):
        with pytest.raises(HocketError, match="did not count all periods"):
            module.read(wrong, 2, 2)


def test_only_a_deadline_has_a_budget() -> None:
    module = load_experiment("loop-predictability", LINUX)
    cases = module.cases((10, 30))
    assert all(("DEADLINE" in case.of_class) == (case.budget_ms is not None) for case in cases)
    commands = [case.command(100, 20) for case in cases]
    words = [line for command in commands for line in command.splitlines()]
    assert "./count other 0 100 20 2 0; echo end" in words
    assert words.count("./count deadline 30 100 20 4 1; echo end") == 2
    assert (
        "./count deadline 10 100 20 4 1; echo end" not in words
    )  # restless beside 30 of 100 alone
    switches = [line.split()[1] for line in words if line.startswith("echo")]
    assert len(switches) == len(cases) and switches.count("HRTICK_DL") == 3


# --- E1 ---


def test_accesses_are_timed_at_a_line() -> None:
    module = load_experiment("gpio-cost", LINUX)
    high = [(0, 8), (10, 20), (100, 300), (300, 700), (1_000, 2_000), (3_000, 6_000)]
    costs = module.read_costs(high, 2)
    assert [(cost.write_ns, cost.read_ns) for cost in costs] == [(4, 5), (100, 200), (500, 1_500)]
    assert [cost.way for cost in costs] == ["mapped registers", "character device", "sysfs"]
    with pytest.raises(HocketError, match="accesses were not made"):
        module.read_costs(high[1:], 2)


# --- E5 ---


def test_a_delay_is_one_of_an_edge_that_found_the_thread_idle() -> None:
    module = load_experiment("event-delivery", LINUX)
    # The second comes before the first is answered; the third is merged with nothing; the last waits still.
    assert module.delays([10, 20, 100, 200], [25, 31, 108]) == [15, 8]
    assert module.delays([10], []) == []
    found = module.read("x", [10, 100], {0: [(1_000, 9_000)], 1: [(1_012, 1_013), (1_103, 1_104)]})
    assert (found.edges, found.seen, found.delays) == (2, 2, [2, 3])
    with pytest.raises(HocketError, match="no edge was seen"):
        module.read("x", [10], {0: [(1_000, 9_000)], 1: []})


def test_random_edges_are_the_same_for_a_seed() -> None:
    module = load_experiment("event-delivery", LINUX)
    instants = module.random_instants(300, 1)
    assert instants == module.random_instants(300, 1) != module.random_instants(300, 2)
    gaps = [later - earlier for earlier, later in pairwise(instants)]
    assert min(gaps) > 0 and 2_000_000 < max(gaps) <= 2_300_000


# --- E6 ---


def test_works_of_threads_are_told_apart() -> None:
    module = load_experiment("loop-isolation", LINUX)
    works = [(0, 2_000_000), (3_000_000, 6_000_000), (7_000_000, 11_000_000)] * 2
    high = dict.fromkeys((0, 1, 2), works)
    found = module.read(Outcome("7 primes\n" * 18, high), 7)
    assert [(each.loop, each.of_class) for each in found][:3] == [
        *((1, "SCHED_OTHER"), (1, "SCHED_DEADLINE"), (2, "SCHED_OTHER"))
    ]
    assert (found[1].alone, found[1].together, found[1].with_spinner) == (2, 3, 4)
    for text, lines in (("7 primes\n" * 17, high), ("7 primes\n" * 18, high | {2: works[1:]})):
        with pytest.raises(HocketError, match="was not done on Linux"):
            module.read(Outcome(text, lines), 7)


# --- E7 ---


def test_a_storm_is_told_by_the_program() -> None:
    module = load_experiment("interrupt-isolation", LINUX)
    assert module.read("x\ntested 12 received 3\n") == (12, 3)
    with pytest.raises(HocketError, match="was not measured on Linux"):
        module.read("tested 12\n")


# --- E8 ---


def test_a_reaction_is_the_next_change_of_the_motors() -> None:
    module = load_experiment("rover", LINUX)
    seen = {module.TRIGGER: [(0, 10), (100, 110)], module.FORWARD: [(5, 50), (60, 170)]}
    assert module.reaction(110, seen) == 60
    with pytest.raises(HocketError, match="did not repeat"):
        module.reaction(111, seen)
    with pytest.raises(HocketError, match="did not turn away"):
        module.reaction(110, seen | {module.FORWARD: [(5, 50)]})
