"""Sketches whose loops fit only when one of them has a part on each of two cores (policy edf)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form, one_in
from tests.commands import run_hocket as hocket
from tests.sketches import Outcome, kept, start

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.errors import EXIT_REFUSED
from hocket.sketch.folder import find_sketch

# 196 % of a core: no two of them fit on one.
CONTRACTS = {1: (66, 100), 2: (66, 100), 3: (64, 100)}
HEAD = """HOCKET_POLICY(edf)
volatile unsigned long sink;
static void work(unsigned long units) { while (units-- > 0) sink = sink + 1; }
void setup() { Serial.begin(115200); }
"""
# A body tells after each 100 calls; what a unit takes is known from a loop that is alone.
TELLS = """void loop({number}, {budget}, {period}{more}) {{
  static unsigned long calls = 0;
  work(2000);
  if (++calls % 100 == 0) {{ Serial.print("\\nloop {number} "); Serial.println(calls); }}
}}
"""
SECONDS = 2.5


# One that waits for nothing, not even for Serial while another one prints.
SILENT = "void loop({number}, {budget}, {period}{more}) {{ work(2000); }}\n"


def spinning(contracts: dict[int, tuple[int, int]], more: str = "", template: str = TELLS) -> str:
    return HEAD + "".join(
        template.format(number=number, budget=budget, period=period, more=more)
        for number, (budget, period) in contracts.items()
    )


def run(
    name: str, text: str, folder: Path, cores: int = 2, seconds: float = SECONDS, **more: Any
) -> Outcome:
    image = build_sketch(find_sketch(str(kept(name, text))), find_board("sim"))
    options = ("--policy", "edf")
    return start(image, seconds, folder / "facts.json", cores=cores, options=options, **more)


def calls_of(outcome: Outcome, number: int) -> int:
    """As the loop itself has counted and told them."""
    return int(re.findall(rf"loop {number} (\d+)", outcome.said)[-1])


@long_form
def test_each_has_its_budget_in_work_that_it_counts_itself(tmp_path: Path) -> None:
    alone = run("split-alone", spinning({1: (60, 100)}), tmp_path)
    assert alone.status == 0, alone.errors
    outcome = run("split-spinning", spinning(CONTRACTS), tmp_path)
    assert outcome.status == 0, outcome.errors
    assert outcome.broken_bounds(CONTRACTS) == []
    call_us = alone.loop(1)["cpu_us"] / alone.loop(1)["iterations"]
    for number, (budget, period) in CONTRACTS.items():
        loop = outcome.loop(number)
        periods = int(SECONDS * 1000) // period - 1
        assert calls_of(outcome, number) >= periods * budget * 1000 // call_us - 100
        assert loop["releases"] >= periods
        # Not much more either: budgets are enforced, in two parts too.
        assert loop["max_cpu_per_period_us"] <= budget * 1000 + 100
        assert loop["response_bound_us"] == period * 1000


def test_the_report_names_both_cores(tmp_path: Path) -> None:
    # To its end while loop 3 has budget: it counts a wake-up less while it waits for one.
    text, seconds = spinning(CONTRACTS, template=SILENT), SECONDS - 0.05
    outcome = run("split-silent", text, tmp_path, seconds=seconds)
    first, second = outcome.loop(3)["parts"]
    assert (first["core"], second["core"]) == (0, 1)
    assert outcome.loop(3)["core"] == 0
    seen = outcome.report["overheads"]
    ahead = sum(
        seen[f"{name}_us"] for name in ("timer_lateness", "longest_masked", "timer_interrupt")
    )
    assert first["budget_us"] + second["budget_us"] == pytest.approx(64_000 + ahead)
    assert first["offset_us"] == 0
    assert first["budget_us"] < first["deadline_us"] < second["offset_us"] < 64_000
    assert second["offset_us"] + second["deadline_us"] == 100_000
    for number in (1, 2):
        assert "parts" not in outcome.loop(number)
    # The thread went out and home in each period, and its loop is one in all counts.
    periods = seconds * 10
    assert outcome.report["counters"]["ipis"] >= 2 * (periods - 1)
    assert abs(outcome.loop(3)["budget_exhausted"] - periods) <= 2
    assert abs(outcome.loop(3)["releases"] - periods) <= 2
    # It is woken once, for the release: going from core to core is no wake-up.
    assert outcome.loop(3)["wakes"] == 1
    assert seen["longest_masked_seen_us"] <= seen["longest_masked_us"]


def test_check_says_what_runs_where(tmp_path: Path) -> None:
    sketch = str(kept("split-spinning", spinning(CONTRACTS)))
    done = hocket("check", sketch, "--cores", "2")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^3 loop +0\+1 ", done.stdout, re.MULTILINE), done.stdout
    assert re.search(
        r"^loop 3 is in two parts: 3[0-9.]+ ms on core 0, at once; 3[0-9.]+ ms on core 1, released "
        r"3[0-9.]+ ms later, due 6[0-9.]+ ms after that$",
        done.stdout,
        re.MULTILINE,
    ), done.stdout


@one_in(3)
@pytest.mark.parametrize(
    ("text", "cores"),
    [
        (spinning(CONTRACTS), 1),
        (spinning({1: (67, 100), 2: (67, 100), 3: (67, 100)}), 2),  # 201 %
        (spinning(CONTRACTS, ", background()"), 2),  # idle time is a core's
        (spinning(CONTRACTS).replace("(3, 64, 100)", "(3, 64, 100, onCore(0))"), 2),
    ],
    ids=["one core", "too much", "all may use idle time", "pinned"],
)
def test_what_cannot_be_split_is_refused_as_before(text: str, cores: int, tmp_path: Path) -> None:
    if "onCore" in text:  # the others are as large: one of them could be split instead
        text = text.replace(", 66, 100)", ", 66, 100, onCore(1))")
    outcome = run("split-refused", text, tmp_path, cores=cores)
    assert outcome.status == EXIT_REFUSED
    assert re.search(r"loop \d asks for \d\d ms in every 100 ms and core \d cannot guarantee it",
                     outcome.errors), outcome.errors  # fmt: skip
    assert all("parts" not in loop for loop in outcome.report["loops"])


PERIODIC = """HOCKET_POLICY(edf)
volatile unsigned long done[4];
void setup() { Serial.begin(115200); }
void periodic(1, 12ms, 20ms) { delayMicroseconds(11900); ++done[1]; }
void periodic(2, 12ms, 20ms) { delayMicroseconds(11900); ++done[2]; }
void periodic(3, 12ms, 20ms, 19ms) { WRONG delayMicroseconds(3000); ++done[3]; }
"""


@one_in(3)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_calls_in_two_parts_are_in_time(seed: int, tmp_path: Path) -> None:
    text = PERIODIC.replace("WRONG", "delayMicroseconds(8000);")
    outcome = run("split-periodic", text, tmp_path, seed=seed)
    assert outcome.status == 0, outcome.errors
    assert sum("parts" in loop for loop in outcome.report["loops"]) == 1
    assert outcome.broken_bounds((1, 2, 3)) == []
    for number in (1, 2, 3):
        assert outcome.loop(number)["iterations"] >= SECONDS * 1000 / 20 - 1


@one_in(4)
@pytest.mark.parametrize(
    "wrong",
    [
        "for (;;) {}",
        "for (;;) delayMicroseconds(3), delay(0), yield();",
        "for (;;) delay(1);",
        "delayMicroseconds(200); delay(7);",
        "static int calls = 0; if (++calls == 20) *(volatile int*)16 = 1;",
        "static int calls = 0; if (++calls == 20) { delayMicroseconds(8000); *(volatile int*)16 = 1; }",
    ],
    ids=["spins", "storms", "naps", "sleeps", "faults at once", "faults in its second part"],
)
def test_a_loop_in_two_parts_gone_wrong_misses_alone(wrong: str, tmp_path: Path) -> None:
    outcome = run("split-wrong", PERIODIC.replace("WRONG", wrong), tmp_path)
    assert outcome.status == (1 if "volatile int*" in wrong else 0), outcome.errors
    split = [loop["id"] for loop in outcome.report["loops"] if "parts" in loop]
    assert split == [3]
    assert list(outcome.faults) == ([3] if "volatile int*" in wrong else [])
    assert outcome.broken_bounds((1, 2)) == []
    for number in (1, 2):
        assert outcome.loop(number)["iterations"] >= SECONDS * 1000 / 20 - 1


# Loop 3 is given one, three times a period, from either core; each is taken once.
GIVEN = """#include <TimeServices.h>
HOCKET_POLICY(edf)
Semaphore items(0);
volatile unsigned long given1, given2, taken;
void setup() { Serial.begin(115200); }
void loop(1, 12ms, 20ms) { delayMicroseconds(700); items.v(); ++given1; }
void loop(2, 12ms, 20ms) { delayMicroseconds(1100); items.v(); ++given2; }
void loop(3, 12ms, 20ms) {
  items.p();
  ++taken;
  delayMicroseconds(400);
  if (taken % 500 == 0) {
    Serial.print("\\n"); Serial.print(given1 + given2 - taken); Serial.print(" left of ");
    Serial.println(taken);
  }
}
"""


def test_it_is_woken_wherever_it_is(tmp_path: Path) -> None:
    outcome = run("split-given", GIVEN, tmp_path)
    assert outcome.status == 0, outcome.errors
    assert sum("parts" in loop for loop in outcome.report["loops"]) == 1
    told = re.findall(r"(\d+) left of (\d+)", outcome.said)
    assert len(told) >= 3, outcome.said
    assert outcome.broken_bounds((1, 2)) == []
    given = sum(outcome.loop(number)["iterations"] for number in (1, 2))
    assert outcome.loop(3)["iterations"] >= 0.9 * min(given, SECONDS * 1e6 * 0.6 / 500)


@long_form
def test_a_run_repeats(tmp_path: Path) -> None:
    runs = [run("split-given", GIVEN, tmp_path, seed=7) for _ in range(2)]
    assert runs[0].said == runs[1].said
    assert runs[0].report == runs[1].report
