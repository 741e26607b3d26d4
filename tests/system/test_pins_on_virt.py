"""Pin interrupts of the AArch64 kernel: handlers at EL0, edges at a PL061, every one accounted for.

The sketches are those of the simulated board (test_interrupts.py). The pin block has one bit for each pin:
what comes while it is set merges, and the world around the board counts that.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.system import test_interrupts as on_sim
from tests.system.test_interrupts import Report, loop

BOARD = ("--board", "virt")


def run(
    tmp_path: Path, name: str, sketch: str, scenario: str, time: str, *options: str
) -> tuple[int, str, Report]:
    return on_sim.run(tmp_path, name, sketch, scenario, time, *BOARD, *options)


def interrupts(report: Report) -> dict[int, Report]:
    return on_sim.interrupts(report)


def generators(first: int, last: int, what: str) -> str:
    rows = (
        f"  g{pin}: {{type: generator, pin: {pin}, {what}}}\n" for pin in range(first, last + 1)
    )
    return "parts:\n" + "".join(rows)


SILENT = generators(2, 2, "frequency: 1 kHz")


def own(report: Report) -> dict[str, Any]:
    """What of a report is the same on any number of runs."""
    return {key: report[key] for key in ("loops", "interrupts", "counters")}


def test_each_mode_counts_its_edges(tmp_path: Path) -> None:
    scenario = "parts:\n" + "".join(
        f"  g{pin}: {{type: generator, pin: {pin}, gaps: {{shortest: 0.1 ms, longest: 2.3 ms}}, "
        f"start: 3 ms, count: {600 + pin}}}\n"
        for pin in range(2, 7)
    )
    status, said, report = run(tmp_path, "modes", on_sim.MODES, scenario, "1s")
    assert status == 0, said
    found = interrupts(report)
    count = {pin: report["parts"][f"g{pin}"]["edges"] for pin in range(2, 7)}
    wanted = {
        2: (count[2] + 1) // 2,
        3: count[3] // 2,
        4: count[4],
        5: count[5],
        6: (count[6] + 1) // 2,
    }
    assert all(count[pin] == 600 + pin for pin in wanted)
    assert {pin: entry["edges"] for pin, entry in found.items()} == wanted
    assert all(entry["delivered"] == entry["edges"] for entry in found.values())
    line = next(line for line in said.splitlines() if line.endswith("calls"))
    assert [int(word) for word in line.split()[:5]] == [wanted[pin] for pin in range(2, 7)]
    for pin in (5, 6):
        assert 0 < found[pin]["max_delay_us"] <= found[pin]["delay_bound_us"]
    _, _, again = run(tmp_path, "modes", on_sim.MODES, scenario, "1s")
    assert own(again) == own(report)


def test_a_storm_takes_no_more_than_its_budgets(tmp_path: Path) -> None:
    """The line is masked from a top half until the bottom half has budget again; what the generator of
    edges takes is taken out of the board's clock."""
    storm = "parts:\n  storm: {type: generator, pin: 2, frequency: 50 kHz, start: 3 ms}\n"
    done = {}
    for connected in (0, 1):
        text = f"#define CONNECTED {connected}\n{on_sim.STORM}"
        status, said, report = run(tmp_path, "storm", text, storm, "301ms")
        assert status == 0, said
        done[connected] = report
    quiet, stormy = loop(done[0], 1), loop(done[1], 1)
    assert stormy["deadline_misses"] == 0
    assert stormy["max_response_us"] <= stormy["response_bound_us"]
    assert stormy["min_cpu_per_period_us"] >= 70_000
    assert stormy["iterations"] >= 0.995 * quiet["iterations"]
    (entry,) = interrupts(done[1]).values()
    assert entry["delivered"] > 1_000
    made = done[1]["parts"]["storm"]["edges"]
    seen = entry["edges"] + entry["may_have_merged"]
    assert seen <= made <= seen + 1  # that of the run's last instant
    assert made > 29_000
    assert entry["may_have_merged"] > 1_000  # one bit, and no budget to look at it
    (io,) = (each for each in done[1]["loops"] if each["kind"] == "io")
    assert io["max_cpu_per_period_us"] <= io["budget_us"] * (2 - io["budget_us"] / io["period_us"])


def test_edges_are_remembered_while_handlers_are_held(tmp_path: Path) -> None:
    scenario = "parts:\n  g: {type: generator, pin: 2, frequency: 1 kHz}\n"
    status, said, report = run(tmp_path, "held", on_sim.HELD, scenario, "700ms")
    assert status == 0, said
    lines = [line.split() for line in said.splitlines() if line.startswith("held 0")]
    assert len(lines) == 2
    for line in lines:
        assert 295 <= int(line[3]) <= 301
    (entry,) = interrupts(report).values()
    assert entry["lost"] == entry["may_have_merged"] == 0
    assert entry["max_delay_us"] <= entry["delay_bound_us"]


def test_what_goes_wrong_is_told_and_stops_nothing_else(tmp_path: Path) -> None:
    scenario = generators(2, 6, "frequency: 200 Hz")
    text = on_sim.WRONG.replace("*(volatile int*)16 = 1", "*(volatile int*)(1L << 40) = 1")
    status, said, report = run(tmp_path, "wrong", text, scenario, "501ms")
    found = interrupts(report)
    assert status == 1, said  # a handler faulted
    notices = " ".join(report["notices"])
    assert "setup() attached a handler to pin 99, which has no interrupt on this board" in notices
    assert "pin -1, which has no interrupt" in notices
    assert "with the mode 77, which nobody knows" in notices
    assert "attached a null pointer to pin 2" in notices
    assert "detached pin 8, to which nothing is attached" in notices
    (fault,) = report["faults"]
    assert fault["loop"] == found[3]["loop"]
    assert fault["kind"] == "bad access"
    assert fault["address"] == 1 << 40
    assert found[2]["delivered"] == found[2]["edges"] >= 95
    assert 15 <= found[3]["delivered"] <= 22
    assert found[3]["edges"] == found[3]["delivered"] + found[3]["lost"]
    assert found[4]["delivered"] == 1
    endless = loop(report, found[4]["loop"])
    assert endless["min_cpu_per_period_us"] >= 1_000
    assert endless["max_cpu_per_period_us"] <= 1_100
    assert found[5]["delivered"] >= 95
    assert found[6]["delivered"] == found[6]["edges"] >= 95  # attaching in a handler is legal
    assert found[7]["edges"] == 0
    assert loop(report, 1)["min_cpu_per_period_us"] >= 40_000
    assert loop(report, 1)["deadline_misses"] == 0


NINE = """
volatile unsigned long calls;
void seen() { ++calls; }
void setup() { for (int pin = 2; pin <= 10; ++pin) attachInterrupt(pin, seen, RISING); }
void loop(1, 10, 100) { delay(50); detachInterrupt(2); attachInterrupt(10, seen, RISING); delay(100000); }
"""


def test_eight_pins_have_a_line_at_once(tmp_path: Path) -> None:
    _, said, report = run(tmp_path, "nine", NINE, generators(2, 10, "frequency: 1 kHz"), "151ms")
    found = interrupts(report)
    assert "pin 10, which has no interrupt" in " ".join(report["notices"]), said
    assert sorted(found) == list(range(2, 11))  # the tenth has one from 50 ms on
    for pin in range(3, 10):
        assert found[pin]["delivered"] == found[pin]["edges"] > 140
    assert 40 <= found[2]["delivered"] <= 51
    assert 95 <= found[10]["delivered"] <= 101


def test_a_level_interrupts_until_the_handler_has_seen_to_it(tmp_path: Path) -> None:
    scenario = "parts:\n  w: {type: wire, pins: [2, 8]}\n"
    _, said, report = run(tmp_path, "level", on_sim.LEVEL, scenario, "501ms")
    (entry,) = interrupts(report).values()
    assert entry["delivered"] == 10, said
    assert entry["pending"] == entry["lost"] == 0
    held = on_sim.LEVEL.replace("digitalWrite(8, HIGH); }\nvoid setup", "}\nvoid setup")
    _, said, report = run(tmp_path, "level", held, scenario, "501ms")
    (entry,) = interrupts(report).values()
    assert entry["delivered"] > 100  # again and again, on its budget
    assert loop(report, entry["loop"])["max_cpu_per_period_us"] <= 1_100


def test_sections_are_protected_from_handlers_on_all_cores(tmp_path: Path) -> None:
    scenario = (
        "parts:\n  a: {type: generator, pin: 2, gaps: {shortest: 0 ms, longest: 0.3 ms}}\n"
        "  b: {type: generator, pin: 3, gaps: {shortest: 0 ms, longest: 0.7 ms}}\n"
    )
    text = "void edge_of_another();\n" + on_sim.SECTIONS
    status, said, report = run(tmp_path, "sections", text, scenario, "300ms", "--cores", "2")
    assert status == 0, said
    lines = [line for line in said.splitlines() if line.startswith("torn")]
    assert lines, said
    assert all(line.startswith("torn 0 ") for line in lines), lines
    found = interrupts(report)
    assert found[2]["delivered"] > 300
    assert found[2]["lost"] == 0


RESTART = """
HOCKET_ON_FAULT(RestartSketch)
volatile unsigned long calls;
void seen() { if (++calls == 20) *(volatile int*)(1L << 40) = 1; }
void setup() { attachInterruptVcpu(2, seen, RISING, 1, 10); }
void loop(1, 10, 100) { delay(1000); }
"""


def test_a_restarted_sketch_has_its_interrupts_again(tmp_path: Path) -> None:
    scenario = "parts:\n  g: {type: generator, pin: 2, frequency: 1 kHz}\n"
    status, said, report = run(tmp_path, "restart", RESTART, scenario, "70ms")
    assert status == 1, said
    assert len(report["faults"]) == 3  # after each 20 edges, the run ends in the fourth time
    (entry,) = interrupts(report).values()
    assert 3 <= entry["delivered"] <= 15


@pytest.mark.parametrize("cores", [1, 2])
def test_admission_knows_handlers_and_their_delays(tmp_path: Path, cores: int) -> None:
    text = "void f() {}\nvoid setup() { attachInterruptVcpu(2, f, RISING, 60, 100); }\n"
    text += "void loop(1, 70, 100, onCore(0)) {}\n"
    words = (*BOARD, "--cores", str(cores))
    done = on_sim.run_hocket("check", on_sim.kept("full", text), *words)
    assert done.returncode == (3 if cores == 1 else 0), done.stderr
    fits = text.replace("60, 100", "2, 10")
    done = on_sim.run_hocket("check", on_sim.kept("full", fits), *words)
    assert done.returncode == 0, done.stderr
    assert "delay bound" in done.stdout


ONLY_SECTIONS = "void setup() {}\nvoid loop(1, 10, 100) { noInterrupts(); }\n"


def test_a_sketch_without_handlers_has_a_kernel_without_them(tmp_path: Path) -> None:
    status, _, report = run(tmp_path, "none", ONLY_SECTIONS, SILENT, "50ms")
    assert status == 0
    assert report["interrupts"] == []
    assert report["counters"]["pin_interrupts"] is None
