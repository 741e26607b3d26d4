"""A sketch under each scheduling policy: what that promises, and what it does beside it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import except_virt, long_form, one_in
from tests.commands import run_hocket as hocket
from tests.sketches import Outcome, kept, start

from hocket.boards import POLICIES, find_board
from hocket.builder import build_sketch
from hocket.builder.policies import check_policy, declared_in, in_condition, policy_of
from hocket.errors import EXIT_REFUSED, HocketError
from hocket.sketch.folder import find_sketch

# 97 % of a core: no order of fixed priorities can promise that.
CONTRACTS = {1: (25, 50), 2: (33, 70)}
SPINNING = "void setup() {}\n" + "".join(
    f"void loop({i}, {c}, {t}) {{ delayMicroseconds(1000); }}\n" for i, (c, t) in CONTRACTS.items()
)
PERIODIC = "void setup() {}\n" + "".join(
    f"void periodic({i}, {c}, {t}) {{ delayMicroseconds({c - 1}000); }}\n"
    for i, (c, t) in CONTRACTS.items()
)


def run(
    name: str, text: str, folder: Path, policy: str | None = None, seconds: float = 3.5, **more: Any
) -> Outcome:
    image = build_sketch(find_sketch(str(kept(name, text))), find_board("sim"), policy=policy)
    options = ("--policy", image.policy) if image.policy != "vcpu" else ()
    return start(image, seconds, folder / "facts.json", options=options, **more)


def test_fixed_priorities_cannot_promise_it(tmp_path: Path) -> None:
    outcome = run("fixed-priorities", SPINNING, tmp_path)
    assert outcome.status == EXIT_REFUSED
    assert "loop 2 asks for 33 ms in every 70 ms" in outcome.errors


@one_in(5)
@pytest.mark.parametrize("policy", ["edf", "hybrid-edf"])
@pytest.mark.parametrize(("name", "text"), [("spinning", SPINNING), ("periodic", PERIODIC)])
def test_by_deadlines_every_budget_is_served(
    name: str, text: str, policy: str, tmp_path: Path
) -> None:
    outcome = run(f"deadlines-{name}", text, tmp_path, policy)
    assert outcome.status == 0, outcome.errors
    assert outcome.broken_bounds(CONTRACTS) == []
    assert outcome.report["policy"] == policy
    assert "processor demand" in outcome.report["admission"]["test"]
    for number, (budget, period) in CONTRACTS.items():
        loop = outcome.loop(number)
        assert loop["releases"] >= 3500 // period
        assert loop["response_bound_us"] == 1000 * period
        if name == "spinning":
            # The windows that are measured do not begin with a release: an overrun delays the next one.
            assert loop["min_cpu_per_period_us"] >= 0.99 * budget * 1000


# Deadlines before the ends of periods; each call counts what it has done.
EARLY = """HOCKET_POLICY(edf)
void setup() { Serial.begin(115200); }
void periodic(1, 4ms, 20ms, 5ms) { delayMicroseconds(3900); }
void periodic(2, 10ms, 30ms, 16ms) { delayMicroseconds(9800); }
void periodic(3, LASTms, 40ms, 30ms) { delayMicroseconds(100); }
"""


def test_early_deadlines_are_met_and_just_over_is_refused_with_the_first_instant(
    tmp_path: Path,
) -> None:
    # By 30 ms: 2 · 4 + 10 + C, and what the kernel costs.
    fits = run("early", EARLY.replace("LAST", "11"), tmp_path)
    assert fits.status == 0, fits.errors
    assert fits.broken_bounds((1, 2, 3)) == []
    for number, period in ((1, 20), (2, 30), (3, 40)):
        assert fits.loop(number)["iterations"] >= 3500 // period
    refused = run("early", EARLY.replace("LAST", "13"), tmp_path)
    assert refused.status == EXIT_REFUSED
    assert re.search(
        r"loop 1 asks for 4 ms in every 20 ms and core 0 cannot guarantee it: "
        r"31\.\d+ ms of work would be due in the first 30 ms after a common release; "
        r"the largest budget that would fit is 3\.4\d+ ms\.",
        refused.errors,
    ), refused.errors


STORM = """HOCKET_POLICY(edf)
volatile unsigned long done[3];
void setup() { Serial.begin(115200); }
void periodic(1, 5ms, 20ms, 12ms) { delayMicroseconds(4800); ++done[1]; }
void periodic(2, 20ms, 60ms) { delayMicroseconds(19500); ++done[2]; }
void loop(3, 10ms, 30ms) { WRONG }
"""


@one_in(3)
@pytest.mark.parametrize(
    "wrong",
    ["delay(15);", "for (;;) {}", "delayMicroseconds(3); delay(0); yield();", "delay(1);"],
    ids=["well", "spins", "storms", "naps"],
)
def test_a_loop_gone_wrong_misses_alone(wrong: str, tmp_path: Path) -> None:
    outcome = run("storm", STORM.replace("WRONG", wrong), tmp_path)
    assert outcome.status == 0, outcome.errors
    assert outcome.broken_bounds((1, 2)) == []
    # Useful work of the others: every call, to its end.
    assert outcome.loop(1)["iterations"] >= 3500 // 20 - 1
    assert outcome.loop(2)["iterations"] >= 3500 // 60 - 1


HYBRID = """HOCKET_POLICY(hybrid_edf)
void setup() {}
void periodic(1, 5ms, 10ms) { delayMicroseconds(4500); }
void loop(2, 50ms, 100ms, priority(4)) { delayMicroseconds(1000); }
void loop(3, 90ms, 100ms, priority(4)) { delayMicroseconds(1000); }
void loop(4, 90ms, 100ms, priority(5)) { delayMicroseconds(1000); }
"""


def test_hybrid_loops_without_deadlines_take_turns_in_what_is_left(tmp_path: Path) -> None:
    outcome = run("hybrid", HYBRID, tmp_path)
    assert outcome.status == 0, outcome.errors
    assert outcome.broken_bounds((1,)) == []
    first, second, last = (outcome.loop(number) for number in (2, 3, 4))
    assert first["response_bound_us"] is None
    assert first["cpu_us"] == pytest.approx(second["cpu_us"], rel=0.02)
    assert first["cpu_us"] + second["cpu_us"] > 0.5 * 3.5e6
    assert last["iterations"] == 0  # somebody before it always wants to run


TURNS = """void setup() {}
void loop(1, 1ms, 100ms, priority(3), tickets(1)) { delayMicroseconds(100); }
void loop(2, 1ms, 100ms, priority(3), tickets(3)) { delayMicroseconds(100); }
void loop(3, 90ms, 100ms, priority(9), tickets(1)) { delayMicroseconds(100); }
"""


def test_levels_take_turns(tmp_path: Path) -> None:
    outcome = run("turns", TURNS, tmp_path, "mlq")
    assert outcome.status == 0
    assert outcome.report["admission"]["test"].startswith("none")
    shares = {i: outcome.loop(i)["cpu_us"] / 3.5e6 for i in (1, 2, 3)}
    assert shares[1] == pytest.approx(0.5, abs=0.01)
    assert shares[2] == pytest.approx(0.5, abs=0.01)
    assert outcome.loop(3)["iterations"] == 0
    assert outcome.loop(1)["deadline_misses"] == 0  # nothing was promised


SLICES = """void setup() {}
void loop(1, 1ms, 100ms, priority(3), slice(5ms)) { delayMicroseconds(100); }
void loop(2, 1ms, 100ms, priority(3), slice(15ms)) { delayMicroseconds(100); }
"""


@one_in(3)
@pytest.mark.parametrize("policy", ["mlq", "lottery", "hybrid-edf"])
def test_a_loop_says_how_long_its_turns_are(policy: str, tmp_path: Path) -> None:
    outcome = run("slices", SLICES, tmp_path, policy)
    assert outcome.status == 0, outcome.errors
    # A lottery draws each as often as the other one, by chance; the others take turns.
    fair = 0.1 if policy == "lottery" else 0.01
    assert outcome.loop(1)["cpu_us"] / 3.5e6 == pytest.approx(0.25, abs=fair)
    assert outcome.loop(2)["cpu_us"] / 3.5e6 == pytest.approx(0.75, abs=fair)


def test_a_bitmap_has_one_that_runs(tmp_path: Path) -> None:
    outcome = run("turns", TURNS, tmp_path, "bitmap")
    assert outcome.loop(1)["cpu_us"] > 0.99 * 3.5e6
    assert outcome.loop(2)["iterations"] == 0


@long_form
def test_a_lottery_repeats_with_its_seed(tmp_path: Path) -> None:
    first, again, other = (run("turns", TURNS, tmp_path, "lottery", 10, seed=s) for s in (1, 1, 2))
    assert first.report == again.report
    shares = [[one.loop(i)["cpu_us"] / 10e6 for i in (1, 2, 3)] for one in (first, other)]
    assert shares[0] != shares[1]
    for drawn in shares:
        assert drawn == pytest.approx([0.2, 0.6, 0.2], abs=0.06)


def test_without_a_promise_loops_are_spread_over_the_cores(tmp_path: Path) -> None:
    text = "void setup() {}\n" + "".join(
        f"void loop({i}, 60, 100) {{ delayMicroseconds(100); }}\n" for i in range(1, 5)
    )
    outcome = run("spread", text, tmp_path, "mlq", 1, cores=2)
    assert sorted(outcome.loop(i)["core"] for i in range(1, 5)) == [0, 0, 1, 1]


# --- Which one it is ---


def test_what_a_sketch_declares() -> None:
    assert declared_in("// HOCKET_POLICY(edf)\nint x;\nHOCKET_POLICY ( hybrid_edf )\n") == [
        ("hybrid_edf", 3)
    ]
    assert declared_in('auto s = "HOCKET_POLICY(edf)";\n#define A HOCKET_POLICY(edf)\n') == []


@pytest.mark.parametrize(
    ("before", "conditional"),
    [
        ("#if 0\n", True),
        ("#ifdef LATER\nint x;\n#else\n", True),
        ("#if 0\n#endif\n", False),
        ("#ifndef CHOICE_H\n#define CHOICE_H\n", False),
        ("#ifndef CHOICE_H\n#define CHOICE_H\n#if 1\n", True),
        ("#pragma once\n#include <x.h>\n// #if 0\n", False),
        ("#ifndef OTHER\nint x;\n", True),
    ],
)
def test_what_the_preprocessor_may_leave_out(before: str, conditional: bool) -> None:
    assert (
        in_condition(f"{before}HOCKET_POLICY(edf)\n#endif\n", before.count("\n") + 1) == conditional
    )


def test_the_command_line_comes_first(tmp_path: Path) -> None:
    sketch = find_sketch(str(kept("declares", "HOCKET_POLICY(edf)\nvoid loop() {}\n")))
    sim = find_board("sim")
    assert policy_of(sketch, sim, None) == "edf"
    for policy in POLICIES:
        assert policy_of(sketch, sim, policy) == policy


@pytest.mark.parametrize(
    ("text", "asked", "said"),
    [
        ("HOCKET_POLICY(fifo)\n", None, "there is no policy 'fifo'"),
        ("HOCKET_POLICY(edf)\nHOCKET_POLICY(mlq)\n", None, "HOCKET_POLICY() is written twice"),
        ("#if 0\nHOCKET_POLICY(edf)\n#endif\n", None, "inside a condition of the preprocessor"),
        ("", "fastest", "there is no policy 'fastest'"),
        ("HOCKET_POLICY(hybrid-edf)\n", None, "the policy hybrid-edf is written hybrid_edf"),
        ("HOCKET_POLICY()\n", None, "HOCKET_POLICY() names no policy"),
        ("HOCKET_POLICY(edf, mlq)\n", None, "there is no policy 'edf,mlq'"),
    ],
)
def test_what_cannot_be_is_refused(text: str, asked: str | None, said: str) -> None:
    sketch = find_sketch(str(kept("wrong-policy", text + "void loop() {}\n")))
    with pytest.raises(HocketError, match=re.escape(said)):
        policy_of(sketch, find_board("sim"), asked)


@pytest.mark.parametrize("name", ["hybrid-edf", "hybird_edf"])
def test_a_near_name_is_what_to_write(name: str) -> None:
    sketch = find_sketch(str(kept("wrong-policy", f"HOCKET_POLICY({name})\nvoid loop() {{}}\n")))
    with pytest.raises(HocketError) as refused:
        policy_of(sketch, find_board("sim"), None)
    assert refused.value.next_step == "write HOCKET_POLICY(hybrid_edf)"


def test_an_option_takes_a_policy_as_sketches_write_it() -> None:
    sketch = kept("wrong-policy", "void loop() {}\n")
    done = hocket("run", sketch, "--policy", "hybrid_edf", "--board", "rpi3")
    assert "the board rpi3 has no policy hybrid-edf" in done.stderr
    done = hocket("run", sketch, "--policy", "first_come")
    assert "there is no policy 'first_come'" in done.stderr


def test_a_board_without_policies_names_those_that_have_them() -> None:
    with pytest.raises(HocketError, match="its kernel has vcpu only") as refused:
        check_policy("edf", find_board("rpi3"))
    assert refused.value.next_step == "use --board sim, virt, uno, nano or mega"


@long_form
def test_check_and_run_take_the_option(tmp_path: Path) -> None:
    folder = str(kept("option", SPINNING))
    refused = hocket("check", folder)
    assert refused.returncode == EXIT_REFUSED
    accepted = hocket("check", folder, "--policy", "edf")
    assert accepted.returncode == 0, accepted.stderr
    assert "test: processor demand by earliest deadline first" in accepted.stdout
    assert hocket("run", folder, "--policy", "edf", "--for", "200ms").returncode == 0
    assert hocket("run", folder, "--policy", "best").returncode == 2


# --- Overruns of periodic loops ---

OVERRUN = """volatile int calls, handled;
void late() { ++handled; }
void setup() { Serial.begin(115200); }
void periodic(1, 8ms, 10ms, 9msMORE) { delayMicroseconds(++calls == 5 ? 26000 : 1000); }
void loop(2, 1ms, 100ms) { if (millis() > 400) { Serial.print(handled); for (;;) delay(1000); } }
"""


@one_in(5)
@pytest.mark.parametrize("policy", ["vcpu", "edf"])
@pytest.mark.parametrize(
    ("more", "handled", "calls_missing", "skipped"),
    [("", "0", 2, 2), (", onOverrun(&late)", "1", 2, 2), (", catchUp()", "0", 0, 0)],
    ids=["skips", "calls a handler", "catches up"],
)
def test_an_overrun(
    policy: str, more: str, handled: str, calls_missing: int, skipped: int, tmp_path: Path
) -> None:
    """The fifth call takes 26 ms, so it ends in the third period."""
    outcome = run("overrun", OVERRUN.replace("MORE", more), tmp_path, policy, 0.5)
    assert outcome.status == 0, outcome.errors
    loop = outcome.loop(1)
    assert outcome.said == handled
    assert loop["skipped"] == skipped
    assert loop["releases"] - loop["iterations"] == pytest.approx(calls_missing, abs=1)
    assert loop["releases"] == pytest.approx(50, abs=1)  # without drift
    if more == ", catchUp()":
        # Each late call runs into the next release, until it has caught up.
        assert 1 <= loop["overruns"] <= 5
        assert loop["deadline_misses"] >= 2
    else:
        assert loop["overruns"] == 1
        assert loop["deadline_misses"] == 1 + skipped
    assert outcome.loop(2)["overruns"] is None


@one_in(3)
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("void periodic(1, 0, 10) {}", "the budget C of periodic 1 is 0"),
        ("void periodic(1, 6, 10, 5) {}", "the budget of periodic 1, 6 ms, is longer"),
        ("void periodic(1, 1, 0) {}", "the period T of periodic 1 is 0"),
        ("void periodic(1, 1, 10, 11) {}", "the deadline of periodic 1, 11 ms, is later"),
        ("void loop(1, 1, 10, priority(32)) {}", "priority() is 0 to 31"),
        ("void loop(1, 1, 10, tickets(0)) {}", "tickets() are 1 to 255"),
        ("void loop(1, 1, 10, slice(999us)) {}", "slice() is 1 ms to 1 s"),
        ("void loop(1, 1, 10, catchUp()) {}", "catchUp() and onOverrun() are for periodic()"),
        ("void periodic(1, 1, 10, onOverrun(nullptr)) {}", "onOverrun() needs a function"),
    ],
)
def test_contracts_that_cannot_be(line: str, said: str, tmp_path: Path) -> None:
    outcome = hocket("check", str(kept("bad-contract", f"void setup() {{}}\n{line}\n")))
    assert outcome.returncode == 2
    assert said in outcome.stderr


@pytest.mark.parametrize(
    ("arguments", "line", "said"),
    [
        (
            (),
            "void periodic(1, 1, 10, catchUp()) {}",
            "the Uno has no catchUp() and onOverrun(): it skips missed releases",
        ),
    ],
)
def test_what_the_uno_has_not_is_refused(arguments: tuple[str, ...], line: str, said: str) -> None:
    folder = kept("not-on-uno", f"void setup() {{}}\n{line}\n")
    outcome = hocket("check", str(folder), "--board", "uno", *arguments)
    assert outcome.returncode == 2
    assert said in outcome.stderr


@long_form
@pytest.mark.parametrize("policy", ["edf", pytest.param("mlq", marks=long_form)])
def test_policies_on_the_emulated_board(policy: str, tmp_path: Path) -> None:
    text = PERIODIC + "void loop(3, 1ms, 100ms) { delay(1); }\n"
    folder = kept("emulated", text)
    image = build_sketch(find_sketch(str(folder)), find_board("virt"), policy=policy)
    outcome = start(image, 1.5, tmp_path / "facts.json")
    assert outcome.status == 0, outcome.errors
    assert outcome.report["policy"] == policy
    misses = [outcome.loop(i)["deadline_misses"] for i in (1, 2)]
    # By levels the second one runs in what the first, third and its handlers leave: late, at 97 %.
    assert (misses == [0, 0]) == (policy == "edf")


@long_form
def test_a_lottery_on_the_emulated_board_repeats_with_its_seed(tmp_path: Path) -> None:
    folder = kept("emulated-lottery", TURNS)
    image = build_sketch(find_sketch(str(folder)), find_board("virt"), policy="lottery")
    drawn = []
    for seed in (1, 1, 2):
        outcome = start(image, 0.5, tmp_path / "facts.json", seed=seed)
        assert outcome.status == 0, outcome.errors
        drawn.append([outcome.loop(i)["iterations"] for i in (1, 2, 3)])
    assert drawn[0] == drawn[1] != drawn[2]
    assert all(loop > 0 for loop in drawn[0])


# --- What the EDF-eCos paper counts ---

COUNTED = """volatile int done[3];
void setup() {}
void periodic(1, 2ms, 10ms) { delayMicroseconds(1000); }
void periodic(2, 20ms, 50ms) { delayMicroseconds(15000); }
void loop(3, 1ms, 100ms) { delay(50); delay(50); }
"""


NO_BUDGET = """
void setup() {}
void loop(1, 5ms, 300ms) { delayMicroseconds(4999); delay(1); }
void loop(2, 40ms, 100ms) { delay(290); for (;;) __asm__ volatile(""); }
"""


@pytest.mark.parametrize("policy", ["vcpu", "edf"])
@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_who_wakes_without_budget_is_counted(board: str, policy: str, tmp_path: Path) -> None:
    """The end of loop 1's sleep is noticed when it has its turn again: after the end of the run."""
    image = build_sketch(
        find_sketch(str(kept("no-budget", NO_BUDGET))), find_board(board), policy=policy
    )
    outcome = start(image, 0.32, tmp_path / "facts.json")
    first, second = (outcome.loop(i) for i in (1, 2))
    assert (first["sleeps"], first["wakes"], first["budget_exhausted"]) == (1, 2, 0)
    assert outcome.report["counters"]["wakes"] == first["wakes"] + second["wakes"]
    # It is due since its budget came back, at 300 ms, not since it woke.
    assert first["deadline_misses"] == 0


@pytest.mark.parametrize("board", except_virt(["sim", "virt", "uno"]))
def test_each_thread_is_counted(board: str, tmp_path: Path) -> None:
    """Loop 1 comes before loop 2 and preempts it, once or twice in each of its calls."""
    image = build_sketch(find_sketch(str(kept("counted", COUNTED))), find_board(board))
    outcome = start(image, 1.01, tmp_path / "facts.json")
    counters = outcome.report["counters"]
    first, second, third = (outcome.loop(i) for i in (1, 2, 3))
    assert first["preemptions"] == 0
    assert 18 <= second["preemptions"] <= 42
    assert counters["preemptions"] == sum(x["preemptions"] for x in (first, second, third))
    # One sleep for each release, and one for each delay(); a wake-up ends each, and one begins.
    assert first["sleeps"] == pytest.approx(100, abs=2)
    assert second["sleeps"] == pytest.approx(20, abs=1)
    # (Its delays end about when loop 2 does. If a little earlier, it waits, and the next one is later.)
    assert 14 <= third["sleeps"] <= 22
    for loop in (first, second, third):
        assert loop["sleeps"] <= loop["wakes"] <= loop["sleeps"] + 1
        assert loop["thread_switches"] == pytest.approx(loop["wakes"] + loop["preemptions"], abs=1)
    assert counters["sleeps"] >= sum(x["sleeps"] for x in (first, second, third))
    assert counters["wakes"] == sum(x["wakes"] for x in (first, second, third))
    assert counters["thread_switches"] > sum(
        x["thread_switches"] for x in (first, second, third)
    )  # to idle, too
