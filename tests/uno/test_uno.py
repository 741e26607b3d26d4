"""Whole sketches on the simulated Uno, through the command."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form, one_in
from tests.uno.account import allowance, assert_budget_in_each_period

Run = Callable[..., Any]

ROOT = Path(__file__).resolve().parents[2]
SKETCHES = Path(__file__).parent / "sketches"
EXAMPLES = ROOT / "examples"


def test_a_plain_sketch_blinks_on_time(uno: Run, tmp_path: Path) -> None:
    waves = tmp_path / "blink.vcd"
    done = uno(EXAMPLES / "blink", "2600ms", "--vcd", waves)
    assert done.status == 0, done.said
    assert done.report["board"] == "uno"
    assert done.report["clock"] == "emulated"
    assert "lamp" in done.report["parts"]
    (loop,) = done.report["loops"]  # nothing schedules it, so it has no budget
    for field in ("budget_us", "period_us", "deadline_us", "min_cpu_per_period_us"):
        assert loop[field] is None, field
    # 500 ms each: the clock is exact, and the call takes some microseconds more.
    text = waves.read_text()
    name = re.search(r"\$var wire 1 (\S+) D13 ", text)
    assert name is not None
    instants = []
    now = 0
    for line in text.splitlines():
        if line.startswith("#"):
            now = int(line[1:])
        elif line == f"1{name[1]}" or line == f"0{name[1]}":
            instants.append(now)
    gaps = [after - before for before, after in pairwise(instants[1:])]
    assert len(gaps) >= 3
    assert all(500_000_000 <= gap < 500_020_000 for gap in gaps), gaps


def test_budgets_are_kept(uno: Run) -> None:
    """Three loops that never rest, and a fourth: each gets its budget in each period, and an activation
    that comes free."""
    done = uno(EXAMPLES / "three-loops", "2200ms")
    assert done.status == 0, done.said
    counts = [int(n) for n in re.findall(r"\d+", done.serial.splitlines()[1])]
    # Of what comes free each has its own, so that smaller budgets get a little more than their part.
    more = allowance(done.report)
    for part, count in ((2, counts[1]), (4, counts[2])):
        budget = 40_000 / part
        assert budget / (budget + more) <= counts[0] / part / count <= 1 + more / 40_000
    for loop in done.report["loops"][:3]:
        assert_budget_in_each_period(done.report, loop)
        assert loop["stack_used"] <= loop["stack_size"]
    assert done.report["counters"]["preemptions"] < 10


@long_form
def test_a_budget_that_a_late_timer_could_take_is_refused(uno: Run, tmp_path: Path) -> None:
    """The smallest budget is what the timer's lateness and the longest masked section may take."""
    for budget, accepted in ((177, False), (178, True)):
        folder = tmp_path / f"tiny-{budget}"
        folder.mkdir()
        text = f"void setup() {{}}\nvoid loop(1, {budget}us, 10) {{ for (;;) ; }}\n"
        (folder / f"{folder.name}.ino").write_text(text)
        done = uno(folder, "100ms")
        assert done.status == (0 if accepted else 3), done.said
        reasons = done.report["admission"]["reasons"]
        assert len(reasons) == (0 if accepted else 1)
        costs = done.report["overheads"]
        assert costs["smallest_budget_us"] == 177.5
        assert costs["timer_lateness_us"] + costs["longest_masked_us"] == 177.5
        if reasons:
            assert "and the smallest budget on this board is 177.5 us:" in reasons[0]


@long_form
def test_locks_count_where_a_sketch_has_some(uno: Run, tmp_path: Path) -> None:
    """They mask interrupts here; what they may take is in everybody's bound."""
    bounds = {}
    longest = 300
    for name, use in (("without", ""), ("with", "spinlockLock(lock); spinlockUnlock(lock);")):
        folder = tmp_path / name
        folder.mkdir()
        text = "#include <Hocket.h>\nSpinlock lock;\nvoid setup() {}\n"
        text += (
            f"void loop(1, 10, 100) {{ {use} delay(1); }}\nvoid loop(2, 10, 50) {{ delay(1); }}\n"
        )
        (folder / f"{name}.ino").write_text(text)
        report = uno(folder, "10ms").report
        bounds[name] = [loop["response_bound_us"] for loop in report["loops"]]
        assert report["overheads"]["spinlock_blocking_us"] == (longest if use else 0)
    # Lower lock and own; of the other one, too, below it.
    more = [b - a for a, b in zip(*bounds.values(), strict=True)]
    assert more == [3 * longest, 2 * longest]


def test_what_cannot_be_guaranteed_is_refused_before_it_runs(uno: Run) -> None:
    done = uno(EXAMPLES / "too-much", "1s")
    assert done.status == 3
    assert "refused: loop 2 asks for 60 ms in every 100 ms" in done.said
    assert done.report["admission"]["accepted"] is False
    assert done.report["counters"] is None or done.report["duration_us"] == 0


def test_parts_are_around_it(uno: Run) -> None:
    """A button on a pull-up, a voltage, and bytes that arrive."""
    done = uno(SKETCHES / "echo", "650ms")
    assert done.status == 0, done.said
    assert done.serial.startswith("1 256\n1 256\n1 256\n0 256\n0 256 h i\n1 256\n1 256\n")


def test_no_turn_of_the_clock_is_lost(uno: Run) -> None:
    """A turn that ends beside a cleared compare match counts (simulation/avr/interrupt_flags.h)."""
    done = uno(SKETCHES / "turns", "20s")
    iterations = {loop["id"]: loop["iterations"] for loop in done.report["loops"]}
    assert iterations[1] == 19
    assert 970 <= iterations[2] <= 995


@long_form
def test_serial_keeps_its_rate(uno: Run, tmp_path: Path) -> None:
    """Ten bits a byte: at 9600 baud 9 bytes have left after 10 ms, at 115200 all of them."""
    for baud, least, most in ((9600, 8, 10), (115200, 30, 30)):
        folder = tmp_path / f"rate{baud}"
        folder.mkdir()
        (folder / f"{folder.name}.ino").write_text(
            f"void setup() {{ Serial.begin({baud}); "
            'Serial.print("123456789012345678901234567890"); }\nvoid loop() {}\n'
        )
        done = uno(folder, "10ms")
        assert least <= done.report["serial"][0]["bytes_sent"] <= most


@long_form
def test_long_sleeps_outlast_the_clocks_wraps(uno: Run) -> None:
    """Instants of the kernel have an order for 17 minutes only. Two hours, and both loops are on time."""
    done = uno(SKETCHES / "hours", "7300s")
    assert done.status == 0, done.said
    hours = [int(line) for line in done.serial.splitlines() if line.isdigit()]
    assert len(hours) == 2
    assert 3_600_000 <= hours[0] <= 3_600_005
    assert 7_200_000 <= hours[1] <= 7_200_010
    assert done.serial.splitlines().count("p") == 37  # at 0, 200, … 7200 s


def test_a_stack_overflow_is_named(uno: Run) -> None:
    done = uno(SKETCHES / "overflow", "1s")
    assert done.status == 1
    (fault,) = done.report["faults"]
    assert (fault["loop"], fault["kind"]) == (2, "stack overflow")


WAKES_A_LOOP = """#include "arduino/runtime/system.h"
volatile unsigned before, after;
void edge() {
  before++;
  hocket::sys::unpark(1);
  after++;
}
void setup() { Serial.begin(115200); @SETUP@ }
void loop(1, 20, 100) {
  hocket::sys::park_until_ns(@UNTIL@);
  static unsigned woken;
  if (++woken < 20) return;
  Serial.print(before);
  Serial.print(' ');
  Serial.println(after);
}
@MORE@
"""
ON_EDGES = "attachInterrupt(digitalPinToInterrupt(2), edge, RISING);"
MASKED = "void loop(2, 50, 200) { noInterrupts(); edge(); interrupts(); delay(10); }"


@one_in(5)
@pytest.mark.parametrize(
    ("setup", "more"),
    [
        pytest.param(ON_EDGES, "", id="out-of-idle"),
        pytest.param(ON_EDGES, "void loop(2, 50, 200) {}", id="out-of-a-loop"),
        pytest.param("", MASKED, id="without-interrupts"),
    ],
)
@pytest.mark.parametrize("until", ["UINT64_MAX", "hocket::sys::now_ns() + 1000000000"])
def test_who_wakes_a_loop_while_masked_runs_to_its_end(
    uno: Run, tmp_path: Path, setup: str, more: str, until: str
) -> None:
    """Before the loop does, and it is woken for each: out of idle, of which nothing is kept, too."""
    folder = tmp_path / "wakes"
    folder.mkdir()
    text = WAKES_A_LOOP.replace("@SETUP@", setup).replace("@MORE@", more)
    (folder / "wakes.ino").write_text(text.replace("@UNTIL@", until))
    scenario = tmp_path / "edges.yaml"
    scenario.write_text("parts:\n  edges: {type: generator, pin: 2, frequency: 100 Hz}\n")
    done = uno(folder, "400ms", "--scenario", scenario)
    assert done.status == 0, done.said
    assert done.serial.startswith("20 20\n21 21\n22 22\n")


@long_form
def test_two_runs_write_the_same_bytes(uno: Run, tmp_path: Path) -> None:
    waves = [tmp_path / "a.vcd", tmp_path / "b.vcd"]
    first, second = (uno(SKETCHES / "echo", "500ms", "--vcd", file) for file in waves)
    assert first == second
    assert waves[0].read_bytes() == waves[1].read_bytes()


@one_in(2)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("void setup() {}\nvoid loop(1, 1, 300000) {}\n", "must not be longer than 240 s"),
        ("void setup() {}\nvoid loop(1, 1, 10, stackBytes(64)) {}\n", "has 128 to 1536 bytes"),
        (
            "\n".join(f"void loop({i}, 1, 100) {{}}" for i in range(1, 9)),
            "it has 8 loops, and the board 7 at most",
        ),
    ],
)
def test_what_the_uno_cannot_do_is_said(uno: Run, tmp_path: Path, text: str, message: str) -> None:
    folder = tmp_path / "sketch"
    folder.mkdir()
    if "setup" not in text:
        text = text.replace("100)", "100, stackBytes(128))") + "\nvoid setup() {}\n"
    (folder / "sketch.ino").write_text(text)
    done = uno(folder, "1s")
    assert done.status == 2
    assert message in done.said
