"""Threads with {deadline, WCET, period} (hocket/EdfThread.h): admitted one by one in setup(), or refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import except_virt, long_form, one_in
from tests.sketches import Outcome, kept, start

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.sketch.folder import find_sketch

ROOT = Path(__file__).resolve().parents[2]
# On virt in every run: what fits runs, what does not never does.
BOARDS = except_virt(["sim", "virt"])
FIRST = 201  # the number of the first thread's loop

SKETCH = """#include <hocket/EdfThread.h>
HOCKET_POLICY(WHICH)
volatile int calls[9];
void spend(int i, unsigned long us) { delayMicroseconds(us); calls[i] = calls[i] + 1; }
void a() { spend(0, 2500); }
void b() { spend(1, 5500); }
void c() { spend(2, 100); }
THREADS
void say(EdfThread& t, bool ok) { Serial.println(ok ? "ok" : t.why_not()); }
void setup() {
  Serial.begin(115200);
  SETUP
}
void loop(1, 1ms, 100ms) { LOOP delay(20); }
"""


def sketch(threads: str, setup: str, policy: str = "edf", loop: str = "") -> str:
    text = SKETCH.replace("THREADS", threads).replace("SETUP", setup)
    return text.replace("WHICH", policy).replace("LOOP", loop)


def run(
    text: str, folder: Path, board: str = "sim", seconds: float = 1.0, cores: int = 1
) -> Outcome:
    image = build_sketch(
        find_sketch(str(kept("edf-threads", text))), find_board(board), policy=None
    )
    options = ("--policy", image.policy) if board == "sim" else ()
    return start(image, seconds, folder / "facts.json", cores=cores, options=options)


def said(outcome: Outcome) -> list[str]:
    return outcome.said.replace("\r", "").splitlines()


TWO = """EdfThread one(&a, {.deadline = 10, .wcet = 3, .period = 10});
EdfThread two(&b, {.deadline = 9, .wcet = 6, .period = 20});
EdfThread three(&c, {.deadline = 50, .wcet = 30, .period = 50});
"""
EACH = """EdfThread* all[] = {&one, &two, &three};
  for (EdfThread* t : all) { bool ok = t->edf_prepare(); say(*t, ok); %s }"""


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_what_fits_runs_and_what_does_not_never_does(board: str, tmp_path: Path) -> None:
    """By 9 ms 3 + 6 are due, and what the kernel costs: the second one has 3 ms to spare only because
    the first is due at 10."""
    outcome = run(sketch(TWO, EACH % "if (ok) t->resume();"), tmp_path, board)
    assert outcome.status == 0, outcome.errors
    assert said(outcome)[:2] == ["ok", "ok"]
    assert said(outcome)[2].startswith("loop 203 asks for 30 ms in every 50 ms and core 0 cannot ")
    assert "of work would be due in the first" in said(outcome)[2]
    assert outcome.broken_bounds((1, FIRST, FIRST + 1)) == []
    first, second, third = (outcome.loop(FIRST + i) for i in range(3))
    # Useful work: every call, to its end. They begin with all loops, some milliseconds after the start.
    assert first["iterations"] in (98, 99, 100) and second["iterations"] in (49, 50)
    assert (first["budget_us"], first["period_us"], first["deadline_us"]) == (3000, 10_000, 10_000)
    assert (second["budget_us"], second["period_us"], second["deadline_us"]) == (6000, 20_000, 9000)
    assert (third["iterations"], third["cpu_us"], third["deadline_misses"]) == (0, 0, 0)
    assert third["response_bound_us"] is None


def test_what_is_admitted_but_not_resumed_does_not_run(tmp_path: Path) -> None:
    text = sketch(TWO, "one.edf_prepare(); two.edf_prepare(); two.resume();")
    outcome = run(text, tmp_path)
    assert outcome.loop(FIRST)["iterations"] == 0
    assert outcome.loop(FIRST)["deadline_misses"] == 0
    assert outcome.loop(FIRST + 1)["iterations"] >= 49
    # The third never asked.
    assert [loop["id"] for loop in outcome.report["loops"]] == [1, FIRST, FIRST + 1]


@pytest.mark.parametrize("board", BOARDS)
def test_a_loop_may_resume_later(board: str, tmp_path: Path) -> None:
    text = sketch(
        TWO,
        "one.edf_prepare();",
        loop="if (millis() > 500 && one.resume()) Serial.println(millis());",
    )
    outcome = run(text, tmp_path, board)
    (at,) = map(int, said(outcome))
    assert outcome.loop(FIRST)["iterations"] == pytest.approx((1000 - at) / 10, abs=1.5)
    assert outcome.loop(FIRST)["deadline_misses"] == 0


@long_form
def test_what_was_refused_may_ask_again_with_other_properties(tmp_path: Path) -> None:
    """`why_not()` is of the last call: properties() that are taken leave nothing of the refusal."""
    threads = "EdfThread one(&a, {.deadline = 10, .wcet = 0, .period = 10});\n"
    setup = """one.edf_prepare(); Serial.println(one.why_not());
  one.properties({.deadline = 10, .wcet = 3, .period = 10}); Serial.println(one.why_not());
  one.edf_prepare(); one.resume(); Serial.println(one.why_not());"""
    outcome = run(sketch(threads, setup), tmp_path)
    assert said(outcome)[:3] == ["its WCET is 0 ms: it would never run", "", ""]
    assert outcome.loop(FIRST)["iterations"] >= 98


def test_over_several_cores_each_goes_where_it_fits(tmp_path: Path) -> None:
    outcome = run(sketch(TWO, EACH % "if (ok) t->resume();"), tmp_path, cores=2)
    assert said(outcome)[:3] == ["ok", "ok", "ok"]
    assert [outcome.loop(FIRST + i)["core"] for i in range(3)] == [0, 0, 1]
    assert outcome.broken_bounds(range(FIRST, FIRST + 3)) == []
    assert outcome.loop(FIRST + 2)["iterations"] >= 19


@long_form
def test_an_overrun_is_its_threads_own(tmp_path: Path) -> None:
    threads = """void endless() { for (;;) {} }
EdfThread one(&a, {.deadline = 10, .wcet = 3, .period = 10});
EdfThread bad(&endless, {.deadline = 20, .wcet = 10, .period = 20});
"""
    text = sketch(threads, "one.edf_prepare(); one.resume(); bad.edf_prepare(); bad.resume();")
    outcome = run(text, tmp_path)
    assert outcome.broken_bounds((1, FIRST)) == []
    assert outcome.loop(FIRST)["iterations"] >= 98
    assert outcome.loop(FIRST + 1)["cpu_us"] > 0.45e6


REFUSED = {
    "period": (".deadline = 5, .wcet = 2, .period = 0", "its period is 0 ms"),
    "wcet": (".deadline = 5, .wcet = 0, .period = 5", "its WCET is 0 ms"),
    "late": (
        ".deadline = 11, .wcet = 2, .period = 10",
        "its deadline, 11 ms, is later than the end",
    ),
    "long": (
        ".deadline = 5, .wcet = 6, .period = 10",
        "its WCET, 6 ms, is longer than its deadline",
    ),
}


@one_in(3)
@pytest.mark.parametrize(("properties", "why"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_is_refused_and_can_be_mended(
    properties: str, why: str, tmp_path: Path
) -> None:
    """Nothing is half admitted: with other properties it is, as if nobody had asked before."""
    threads = f"EdfThread one(&a, {{{properties}}});\n"
    setup = (
        "say(one, one.edf_prepare()); say(one, one.resume());"
        " one.properties({.deadline = 10, .wcet = 3, .period = 10});"
        " say(one, one.edf_prepare()); say(one, one.resume());"
    )
    outcome = run(sketch(threads, setup), tmp_path)
    first, second, *rest = said(outcome)
    assert first.startswith(why)
    assert second == "it has not been admitted by edf_prepare(): it never runs"
    assert rest == ["ok", "ok"]
    assert outcome.loop(FIRST)["iterations"] >= 98


def test_a_refusal_leaves_all_the_room(tmp_path: Path) -> None:
    threads = """EdfThread big(&a, {.deadline = 10, .wcet = 10, .period = 10});
EdfThread fits(&a, {.deadline = 10, .wcet = 9, .period = 10});
"""
    setup = "say(big, big.edf_prepare()); say(fits, fits.edf_prepare()); fits.resume();"
    lines = said(run(sketch(threads, setup), tmp_path))
    assert "cannot guarantee it" in lines[0]
    assert lines[1] == "ok"


@pytest.mark.parametrize("board", BOARDS)
def test_properties_stay_after_resume(board: str, tmp_path: Path) -> None:
    setup = (
        "one.edf_prepare(); one.resume();"
        " say(one, one.properties({.deadline = 5, .wcet = 1, .period = 5}));"
        " say(one, one.edf_prepare()); say(one, one.resume());"
    )
    outcome = run(sketch(TWO, setup), tmp_path, board)
    assert said(outcome) == [
        "it is admitted: its deadline, WCET and period stay as they are",
        "it has been resumed: its deadline, WCET and period stay as they are",
        "it has been resumed before",
    ]
    assert outcome.loop(FIRST)["period_us"] == 10_000


@long_form
def test_more_threads_than_there_is_room_for(tmp_path: Path) -> None:
    threads = "#define N 3\nEdfThread many[] = {" + "{&c, {5, 1, 100}}," * 3 + "};\n"
    text = "#define HOCKET_EDF_THREADS 2\n" + sketch(
        threads, "for (EdfThread& t : many) { say(t, t.edf_prepare()); t.resume(); }"
    )
    outcome = run(text, tmp_path)
    assert said(outcome) == [
        "ok",
        "ok",
        "there are more threads than HOCKET_EDF_THREADS says: define a larger number",
    ]
    assert [loop["id"] for loop in outcome.report["loops"]] == [1, FIRST, FIRST + 1]


def test_once_loops_run_nothing_is_prepared(tmp_path: Path) -> None:
    text = sketch(TWO, "", loop="say(one, one.edf_prepare());")
    assert set(said(run(text, tmp_path, seconds=0.2))) == {
        "edf_prepare() is for setup(): once the loops run, nothing more is promised"
    }


@pytest.mark.parametrize("board", BOARDS)
def test_other_policies_have_no_deadlines_to_test(board: str, tmp_path: Path) -> None:
    text = sketch(TWO, EACH % "t->resume();", policy="vcpu")
    outcome = run(text, tmp_path, board, seconds=0.2)
    assert set(said(outcome)) == {
        "the policy is vcpu, which has no deadlines to test: write HOCKET_POLICY(edf)"
    }
    assert outcome.loop(1)["iterations"] > 0


@long_form
@pytest.mark.parametrize("board", BOARDS)
def test_the_example(board: str, tmp_path: Path) -> None:
    source = find_sketch(str(ROOT / "examples" / "edf-threads" / "edf-threads.cpp"))
    image = build_sketch(source, find_board(board), policy=None)
    options = ("--policy", image.policy) if board == "sim" else ()
    outcome = start(image, 2.2, tmp_path / "facts.json", options=options)
    refused, *counts = said(outcome)
    assert refused.startswith("loop 204 asks for 20 ms in every 50 ms")
    assert len(counts) == 2
    for second, line in enumerate(counts, start=1):
        word, *numbers = line.split()
        assert word == "calls" and numbers[3] == "0"
        # (The loop that prints has 1 ms in every 500, so it may come later than it asked for.)
        assert 100 * second <= int(numbers[0]) <= 100 * second + 52
        assert int(numbers[1]) == pytest.approx(int(numbers[0]) / 2, abs=1)
    assert outcome.broken_bounds((1, FIRST, FIRST + 1, FIRST + 2)) == []
