"""The flight program: it holds the helicopter whatever lines and neighbours do, and a late control loses it.

What is looked at is the helicopter, from outside, and its account of what was sent and broken.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form, one_in
from tests.commands import run_hocket

ROOT = Path(__file__).resolve().parents[2]
FLIGHT = ROOT / "examples" / "flight"
SCENARIO = (FLIGHT / "scenario.yaml").read_text()

Report = dict[str, Any]
Run = Callable[..., tuple[str, Report]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """run(time, scenario, options…, sketch=…): Serial's text and the report."""

    def start(time: str, scenario: str, *options: str, sketch: Path = FLIGHT) -> tuple[str, Report]:
        facts, wired = tmp_path / "report.json", tmp_path / "scenario.yaml"
        wired.write_text(scenario)
        given: list[str | Path] = ["--json", facts, "--scenario", wired, *options]
        done = run_hocket("run", sketch, "--for", time, *given)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout, json.loads(facts.read_text())

    return start


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def from_the_tenth_second(more: str) -> str:
    """The example's scenario with this added to the command of the tenth second."""
    return changed(SCENARIO, "{at: 10 s, ", f"{{at: 10 s, {more}, ")


def helicopter(report: Report) -> Report:
    found: Report = report["parts"]["helicopter"]
    return found


def flies(report: Report) -> None:
    """It is in the air, level, on time, and where it was sent; no byte was too much for a buffer."""
    it = helicopter(report)
    assert not it["upset"]
    assert it["tilt_rms_deg"] < 6
    assert it["tilt_most_deg"] < 30
    assert it["controls_late"] == 0
    assert it["max_control_interval_us"] < 20_100
    assert it["controls_missing"] == it["controls_refused"] == 0
    assert abs(it["north_m"]) < 3 and abs(it["east_m"]) < 3 and abs(it["height_m"] - 20) < 3
    assert all(
        loop["deadline_misses"] == 0 and loop["max_response_us"] <= loop["response_bound_us"]
        for loop in report["loops"]
        if loop["id"] != 5
    )
    assert all(port["bytes_lost"] == 0 for port in report["serial"][1:])


@one_in(3)
@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_it_flies_to_places_and_back(run: Run, seed: str) -> None:
    text, report = run("60s", SCENARIO, "--seed", seed)
    flies(report)
    assert report["serial"][0]["bytes_lost"] == 0
    heights = [float(height) for height in re.findall(r"height (\S+) m", text)]
    assert max(heights) > 24  # it was there


def test_it_needs_to_be_held(run: Run) -> None:
    """Without the sketch's packets the same helicopter is upset within seconds."""
    _, report = run("20s", SCENARIO, sketch=ROOT / "examples" / "blink")
    it = helicopter(report)
    assert it["upset"]
    assert it["controls"] == 0
    assert it["upset_at_us"] < 10_000_000


@long_form
def test_two_runs_are_one(run: Run) -> None:
    assert run("15s", SCENARIO) == run("15s", SCENARIO)


@long_form
def test_on_two_cores(run: Run) -> None:
    _, report = run("60s", SCENARIO, "--cores", "2")
    flies(report)


def test_every_whole_packet_is_found_and_no_broken_one_taken(run: Run) -> None:
    """A fifth of all packets is flipped, cut or comes after noise: the sketch's account is the parts'."""
    scenario = changed(SCENARIO, "broken: 1 %", "broken: 20 %")
    # The run ends with the line, so that both accounts are of the same instant but for the line's 15 ms.
    text, report = run("100s", scenario, "--expect-text", "unanswered", "--seed", "4")
    accounts = re.findall(r"(AHRS|GPS|fed back|commands) (\d+) good (\d+) missing (\d+)", text)
    parts = report["parts"]
    assert not parts["helicopter"]["upset"]
    names = {"AHRS": "ahrs", "GPS": "gps", "fed back": "helicopter", "commands": "ground"}
    assert len(accounts) == len(names)
    for name, good, missing, refused in accounts:
        part = parts[names[name]]
        broken = part["packets_flipped"] + part["packets_cut"]
        assert part["packets"] == part["packets_intact"] + broken
        assert part["packets_intact"] - 3 <= int(good) <= part["packets_intact"]
        assert broken - 3 <= int(missing) <= broken
        assert int(refused) > 0 or broken < 5
    assert parts["ahrs"]["packets_flipped"] + parts["ahrs"]["packets_cut"] > 100


@long_form
def test_control_made_late_loses_it(run: Run) -> None:
    for seed in ("1", "2", "3"):
        _, report = run("40s", from_the_tenth_second("late: 80 ms"), "--seed", seed)
        it = helicopter(report)
        assert it["upset"]
        assert it["upset_because"] == "tilt"
        assert 10_000_000 < it["upset_at_us"] < 20_000_000
        assert it["controls_late"] > 0


@long_form
def test_the_later_control_is_the_more_it_swings(run: Run) -> None:
    tilts = [
        helicopter(run("40s", from_the_tenth_second(f"late: {late} ms"))[1])["tilt_rms_deg"]
        for late in (0, 20, 30, 40)
    ]
    assert tilts == sorted(tilts)
    assert tilts[-1] > 3 * tilts[0]


@long_form
def test_a_neighbour_that_computes_for_ever_does_not_make_control_late(run: Run) -> None:
    """The loop of the ground's commands never comes back from one. It has its budget, and no more."""
    _, calm = run("60s", SCENARIO)
    _, report = run("60s", changed(SCENARIO, "{at: 30 s, ", "{at: 30 s, load: 60 s, "))
    flies(report)
    exhausted = {loop["id"]: loop["budget_exhausted"] for loop in report["loops"]}
    assert exhausted[5] > 1000
    assert helicopter(report)["tilt_rms_deg"] == pytest.approx(
        helicopter(calm)["tilt_rms_deg"], rel=0.1
    )


@one_in(2)
@pytest.mark.parametrize(("budget", "holds"), [("6ms", True), ("1ms", False)])
def test_control_needs_its_budget(run: Run, tmp_path: Path, budget: str, holds: bool) -> None:
    """5 ms of work in each round: with 6 ms in 20 ms it flies; with 1 ms a round lasts 100 ms."""
    folder = tmp_path / "flight"
    shutil.copytree(FLIGHT, folder)
    sketch = folder / "flight.ino"
    text = changed(sketch.read_text(), "periodic(1, 1ms, ", f"periodic(1, {budget}, ")
    sketch.write_text(changed(text, "  packet.close();\n", "  packet.close();\n  compute(5000);\n"))
    _, report = run("60s", SCENARIO, sketch=folder)
    if holds:
        flies(report)
    else:
        assert helicopter(report)["upset"]
        assert helicopter(report)["controls_late"] > 0
        others = [loop for loop in report["loops"] if loop["id"] != 1]
        assert all(loop["deadline_misses"] == 0 for loop in others)


@long_form
def test_on_virt(run: Run) -> None:
    """The same flight in QEMU: what counts are instants, not speed."""
    _, report = run("6s", SCENARIO, "--board", "virt")
    flies(report)
