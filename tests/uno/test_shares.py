"""Each loop has its share of the Uno in each of its periods, whatever else runs there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form, one_in
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


@one_in(3)
@pytest.mark.parametrize("ids", [{1}, {2}, {3}, {1, 2, 3}])
def test_alone_and_together(uno: Run, broken: Broken, tmp_path: Path, ids: set[int]) -> None:
    done = uno(sketch(tmp_path, spinning(ids)), "1090ms")
    assert done.status == 0, done.said
    assert_shares(done.report, ids)
    assert broken(done.report, ids) == []


@one_in(2)
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


def storm(tmp_path: Path, frequency: int, pin: int = 2) -> Path:
    scenario = tmp_path / "storm.yaml"
    scenario.write_text(
        f"parts:\n  storm: {{type: generator, pin: {pin}, frequency: {frequency} Hz}}\n"
    )
    return scenario


@one_in(7)
@pytest.mark.parametrize("frequency", [1_000, 10_000, 40_000, 60_000, 100_000, 1_000_000])
@pytest.mark.parametrize("pin", [2, 8])
def test_beside_a_storm_of_interrupts(
    uno: Run, broken: Broken, tmp_path: Path, pin: int, frequency: int
) -> None:
    """The loops do all of their work, since handlers have an account of their own; every edge is in it."""
    text = spinning({1, 2, 3}).replace("2, INPUT", f"{pin}, INPUT").replace("pt(2)", f"pt({pin})")
    folder = sketch(tmp_path, text)
    calm = uno(folder, "1090ms")
    done = uno(folder, "1090ms", "--scenario", storm(tmp_path, frequency, pin))
    assert done.status == 0, done.said
    assert_shares(done.report, {1, 2, 3})
    assert broken(done.report, {1, 2, 3}) == []
    for loop, before in zip(done.report["loops"], calm.report["loops"], strict=True):
        share = loop["iterations"] / before["iterations"]
        assert 0.999 <= share <= 1.015  # (more of what an activation may cost is used)
        assert loop["min_cpu_per_period_us"] >= loop["budget_us"]
    (found,) = done.report["interrupts"]
    changes = done.report["parts"]["storm"]["edges"]  # some before setup() has attached the handler
    arrived = changes // 2 if pin == 2 else changes
    assert arrived - frequency // 500 - 1 <= found["edges"] <= arrived
    assert found["edges"] == found["delivered"] + found["pending"] + found["lost"]
    assert found["lost"] == found["may_have_merged"] == found["lost_because"]["no_room"]
    held = [text for text in done.report["notices"] if "used up their budget" in text]
    assert (found["lost"] > 0) == (len(held) == 1) == (frequency >= 10_000)
    # (A port's handler sees nothing where the pin is as it was before: in half of its calls, or in more where
    # the storm's turns and its own keep step.)
    assert found["delivered"] > (5_000 if pin == 2 else 1_500) or frequency < 10_000
    assert found["max_delay_us"] <= found["delay_bound_us"]
    if frequency >= 40_000:  # and it is not much more than what can be
        assert found["max_delay_us"] >= 0.7 * found["delay_bound_us"]


@pytest.mark.parametrize(
    "disturbs", ["tone(7, 8000);", "Serial.begin(115200);"], ids=["tone", "serial"]
)
def test_own_work_is_nobody_elses(uno: Run, tmp_path: Path, disturbs: str) -> None:
    """An iteration takes as much of it, whatever interrupts it."""
    scenario = tmp_path / "flood.yaml"
    text = "a" * 5_000  # one character behind the other
    scenario.write_text(
        f"parts:\n  sender: {{type: serial, port: 0, send: [{{at: 10 ms, text: {text}}}]}}\n"
    )
    loops = """
      void loop(1, 60, 200) { sink++; }
      void loop(2, 5, 100) { while (Serial.read() >= 0); delay(1); }
    """

    def per_iteration(starts: str) -> float:
        head = f"volatile unsigned sink;\nvoid setup() {{ {starts} }}\n"
        done = uno(sketch(tmp_path, head + loops), "600ms", "--scenario", scenario)
        assert done.status == 0, done.said
        loop = done.report["loops"][0]
        return float(loop["cpu_us"] / loop["iterations"])

    calm = per_iteration("")
    assert per_iteration(disturbs) == pytest.approx(calm, rel=0.01)


def test_a_storm_is_over_and_its_last_edge_comes(uno: Run, tmp_path: Path) -> None:
    """An edge that is kept while the interrupt is held back comes at the refill."""
    scenario = tmp_path / "storm.yaml"
    scenario.write_text(
        "parts:\n  storm: {type: generator, pin: 2, frequency: 60 kHz, count: 12000}\n"
    )
    done = uno(sketch(tmp_path, spinning({1, 2, 3})), "400ms", "--scenario", scenario)
    (found,) = done.report["interrupts"]
    assert found["pending"] == 0
    assert found["edges"] == found["delivered"] + found["lost"]
    assert 10_000 < found["max_delay_us"] + 1_100 < 12_000


def test_the_sketch_says_what_handlers_may_take(uno: Run, tmp_path: Path) -> None:
    text = spinning({2, 3}).replace("attach", "interruptsVcpu(3, 10);\n  attach", 1)
    folder = sketch(tmp_path, text)
    calm = uno(folder, "1090ms")
    done = uno(folder, "1090ms", "--scenario", storm(tmp_path, 100_000))
    (found,) = done.report["interrupts"]
    assert (found["budget_us"], found["period_us"]) == (3_000, 10_112)
    assert found["max_delay_us"] <= found["delay_bound_us"]
    assert_shares(done.report, {2, 3})
    for loop, before in zip(done.report["loops"], calm.report["loops"], strict=True):
        assert 0.999 <= loop["iterations"] / before["iterations"] <= 1.015


@long_form
def test_a_handler_that_takes_too_long_pays_later(uno: Run, tmp_path: Path) -> None:
    """5 ms of 1: the next four budgets are gone, too."""
    text = spinning({2, 3}).replace("edges++;", "edges++; delayMicroseconds(5000);")
    done = uno(sketch(tmp_path, text), "1090ms", "--scenario", storm(tmp_path, 1_000))
    (found,) = done.report["interrupts"]
    assert 1090 / 52 - 2 <= found["delivered"] <= 1090 / 50 + 1


def test_admission_counts_the_handlers(uno: Run, tmp_path: Path) -> None:
    """Without a handler these loops fit."""
    full = "void loop(1, 60, 100) {}\nvoid loop(2, 30, 100) {}\n"
    calm = "void setup() {}\n" + full
    assert uno(sketch(tmp_path, calm), "50ms").status == 0
    assert uno(sketch(tmp_path, HEAD + full), "50ms").status == 3


# The largest C that admission gives each of so many loops with T = 5 ms, and one that it refuses (us). For
# four loops 70 % of the processor was the goal (docs/decisions/cost-of-budgets.md).
LARGEST = {1: (4460, 4480), 2: (1830, 1845), 3: (980, 990), 4: (545, 555)}


@pytest.mark.parametrize("count", [1, 4])
def test_the_largest_share_that_is_admitted_is_kept(uno: Run, tmp_path: Path, count: int) -> None:
    fits, refused = LARGEST[count]

    def run(budget: int) -> Any:
        loops = (f"void loop({i}, {budget}us, 5ms) {{ for (;;) ; }}\n" for i in range(1, count + 1))
        return uno(sketch(tmp_path, "void setup() {}\n" + "".join(loops)), "300ms")

    assert run(refused).status == 3
    done = run(fits)
    assert done.status == 0, done.said
    assert done.report["overheads"]["exceeded"] == []
    for loop in done.report["loops"]:
        assert loop["min_cpu_per_period_us"] >= fits
        assert loop["deadline_misses"] == 0
