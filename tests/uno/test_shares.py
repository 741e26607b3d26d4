"""Each loop has its share of the Uno in each of its periods, whatever else runs there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.uno.account import assert_budget_in_each_period, free

Run = Callable[..., Any]
Broken = Callable[..., list[str]]
Report = dict[str, Any]

BUDGETS = {1: 40, 2: 20, 3: 10}  # ms in every 100

HEAD = """\
volatile unsigned sink;
volatile unsigned long edges;
void edge() { edges++; }
void setup() {
  pinMode(2, INPUT);
  attachInterrupt(digitalPinToInterrupt(2), edge, RISING);
}
"""


def spinning(ids: set[int]) -> str:
    loops = (f"void loop({i}, {c}, 100) {{ sink++; }}\n" for i, c in BUDGETS.items() if i in ids)
    return HEAD + "".join(loops)


def sketch(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "shares"
    folder.mkdir(exist_ok=True)
    (folder / "shares.ino").write_text(text)
    return folder


def assert_shares(report: Report, ids: set[int]) -> None:
    """Their budget in each period, whatever else runs."""
    for loop in report["loops"]:
        if loop["id"] not in ids:
            continue
        assert_budget_in_each_period(report, loop)
        assert loop["deadline_misses"] == 0
        assert loop["budget_exhausted"] == loop["releases"] - 1 == 11


@pytest.mark.parametrize("ids", [{1}, {2}, {3}, {1, 2, 3}])
def test_alone_and_together(uno: Run, broken: Broken, tmp_path: Path, ids: set[int]) -> None:
    done = uno(sketch(tmp_path, spinning(ids)), "1090ms")
    assert done.status == 0, done.said
    assert_shares(done.report, ids)
    assert broken(done.report, ids) == []


@pytest.mark.parametrize("body", ["for (;;) sink++;", "delay(70); for (;;) sink++;"])
def test_beside_a_loop_that_never_ends(uno: Run, tmp_path: Path, body: str) -> None:
    text = spinning({1, 2, 3}) + f"void loop(4, 9, 100) {{ {body} }}\n"
    done = uno(sketch(tmp_path, text), "1090ms")
    assert done.status == 0, done.said
    assert_shares(done.report, {1, 2, 3})
    endless = done.report["loops"][3]
    assert endless["iterations"] == 0
    assert endless["budget_exhausted"] >= 9  # the report shows which one it is
    assert endless["max_cpu_per_period_us"] <= 9_000 + free(done.report)


@pytest.mark.parametrize("frequency", [1_000, 20_000, 100_000])
def test_beside_a_storm_of_interrupts(
    uno: Run, broken: Broken, tmp_path: Path, frequency: int
) -> None:
    """The time of a handler is that of the loop it interrupts: the shares stay, the work gets less."""
    scenario = tmp_path / "storm.yaml"
    scenario.write_text(
        f"parts:\n  storm: {{type: generator, pin: 2, frequency: {frequency} Hz}}\n"
    )
    folder = sketch(tmp_path, spinning({1, 2, 3}))
    calm = uno(folder, "1090ms")
    done = uno(folder, "1090ms", "--scenario", scenario)
    assert done.status == 0, done.said
    assert_shares(done.report, {1, 2, 3})
    assert broken(done.report, {1, 2, 3}) == []
    handlers = frequency * 7.71e-6  # of the processor: 123 cycles each
    for loop, before in zip(done.report["loops"], calm.report["loops"], strict=True):
        assert loop["iterations"] == pytest.approx(before["iterations"] * (1 - handlers), rel=0.05)
    notices = [text for text in done.report["notices"] if "Handlers of interrupts took" in text]
    assert len(notices) == (1 if frequency >= 20_000 else 0)


def test_a_storm_without_end_takes_the_processor(uno: Run, tmp_path: Path) -> None:
    """A handler is longer than the time between two edges: pin 2's next interrupt always waits, and comes
    before all of timer 1's. Nothing of the clock is served, so whoever the kernel began with keeps the
    processor: its start took so long that all three were due, and loop 3 has the highest priority. It gets
    what the processor does behind each `reti` (one instruction by the data sheet, 7.7; simavr does two: 5.5
    handlers for the 11 instructions of an iteration). The report says why."""
    scenario = tmp_path / "storm.yaml"
    scenario.write_text("parts:\n  storm: {type: generator, pin: 2, frequency: 200000 Hz}\n")
    done = uno(sketch(tmp_path, spinning({1, 2, 3})), "300ms", "--scenario", scenario)
    first, second, third = (loop["iterations"] for loop in done.report["loops"])
    assert first == second == 0
    handlers = 0.3 * 16e6 / 123  # at most
    assert 0 < third <= handlers / 5.5  # of 17,000 without the storm
    assert done.report["counters"]["timer_interrupts"] == 0
    assert any("Handlers of interrupts took" in text for text in done.report["notices"])
