"""Every sketch of examples/ does on the simulated board what its first lines promise."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import except_virt, long_form, one_in
from tests.commands import run_hocket

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

Report = dict[str, Any]
Run = Callable[..., tuple[int, str, Report]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """run(sketch, time, options…): exit status, Serial's text (or the refusal) and the report."""

    def start(sketch: str, time: str, *options: str) -> tuple[int, str, Report]:
        facts = tmp_path / "report.json"
        done = run_hocket("run", EXAMPLES / sketch, "--for", time, "--json", facts, *options)
        report = json.loads(facts.read_text()) if facts.is_file() else {}
        return done.returncode, done.stdout + done.stderr, report

    return start


def loops(report: Report) -> dict[int, Report]:
    return {loop["id"]: loop for loop in report["loops"]}


def held(report: Report) -> bool:
    """No miss, and no response beyond its bound."""
    return all(
        loop["deadline_misses"] == 0 and loop["max_response_us"] <= loop["response_bound_us"]
        for loop in report["loops"]
    )


# Boards whose pins have interrupts on budgets.
BOARDS = ["sim", "virt"]
WITH_HANDLERS = pytest.mark.parametrize("board", BOARDS)
# Long, or with a storm: each instruction is emulated on virt (storms there: test_interrupts.py).
LONG_ON_VIRT = pytest.mark.parametrize("board", except_virt(BOARDS))


def test_each_example_has_a_test() -> None:
    tested = Path(__file__).read_text()
    missing = [path.name for path in EXAMPLES.iterdir() if f'"{path.name}' not in tested]
    assert missing == []


def test_edf_threads(run: Run) -> None:
    """Three of the four fit; the fourth says why it does not, and never runs."""
    status, text, report = run("edf-threads/edf-threads.cpp", "2200ms")
    assert status == 0
    refused, first, _, *_ = text.splitlines()
    assert refused.startswith(
        "loop 204 asks for 20 ms in every 50 ms and core 0 cannot guarantee it"
    )
    assert first.startswith("calls 1") and first.endswith(" 0")
    threads = loops(report)
    assert threads[204]["iterations"] == 0
    assert all(threads[n]["deadline_misses"] == 0 for n in (201, 202, 203))
    assert threads[201]["iterations"] > 200 and threads[202]["iterations"] > 100


@one_in(3)
@pytest.mark.parametrize("sketch", ["button-light", "code-lock", "crossing", "ping-pong"])
def test_what_scenarios_expect(run: Run, sketch: str) -> None:
    """On other boards, and of sketches that are wrong: test_expectations.py."""
    status, _, report = run(sketch, "14s")
    assert status == 0
    assert held(report)
    assert all(expectation["met"] for expectation in report["expectations"])


def test_blink(run: Run) -> None:
    status, _, report = run("blink", "5s")
    assert status == 0
    assert loops(report)[0]["budget_us"] == 80_000
    assert loops(report)[0]["period_us"] == 100_000
    assert loops(report)[0]["iterations"] == 4  # the fifth ends just after the fifth second


@one_in(4)
@pytest.mark.parametrize("sketch", ["rover", "rover-single", "cpp-rover/cpp-rover.cpp"])
def test_rovers_turn_away_from_the_wall(run: Run, sketch: str) -> None:
    status, text, report = run(sketch, "20s")
    assert status == 0
    assert held(report)
    assert re.search(r"wall.*\n.*clear", text)
    wheels = report["parts"]["wheels"]
    assert not wheels["collided"]
    assert 60 < wheels["min_distance_cm"] < 110


@long_form
def test_two_loops_act_more_often_than_one(run: Run) -> None:
    _, _, two = run("rover", "10s")
    _, _, one = run("rover-single", "10s")
    interval = "mean_update_interval_us"
    assert two["parts"]["wheels"][interval] * 2 < one["parts"]["wheels"][interval]


def test_a_rover_beside_linux_takes_speeds_and_tells(run: Run) -> None:
    """On sim parts play Linux's programs: half the speed from 2 s on; a speed that is none is refused."""
    status, text, report = run("rover-and-linux", "8s")
    assert status == 0 and held(report)
    assert "speed 50\nno such speed: -32768\n" in text
    got = report["parts"]["log"]["got"]
    records = [struct.unpack("<IhhbbH", bytes.fromhex(record["hex"])) for record in got]
    assert len(records) == 80 and [record[5] for record in records] == [0] * 80
    assert {record[2] for record in records if record[0] < 2000} == {100}
    assert {record[2] for record in records if record[0] > 2100} == {50}
    steps = {later[0] - earlier[0] for earlier, later in pairwise(records)}
    assert steps <= {100, 101}
    assert not report["parts"]["wheels"]["collided"]


@long_form
def test_rover_is_the_same_in_every_run_and_holds_for_another_seed(run: Run) -> None:
    first = run("rover", "10s")
    assert run("rover", "10s") == first
    status, _, report = run("rover", "10s", "--seed", "7")
    assert status == 0
    assert held(report)


def test_three_loops_count_in_proportion_to_their_budgets(run: Run) -> None:
    status, text, report = run("three-loops", "3500ms")
    assert status == 0
    assert held(report)
    last = re.findall(r"counts: (\d+), (\d+), (\d+)", text)[-1]
    first, second, third = (int(count) for count in last)
    assert first / second == pytest.approx(2, rel=0.01)
    assert first / third == pytest.approx(4, rel=0.01)


@long_form
def test_many_loops(run: Run) -> None:
    status, _, report = run("many-loops", "4s")
    assert status == 0
    assert sorted(loops(report)) == list(range(1, 41))
    assert all(loop["iterations"] >= loop["id"] for loop in report["loops"])
    assert held(report)


def test_knob_servo_follows(run: Run) -> None:
    status, text, _ = run("knob-servo", "6s")
    assert status == 0
    angles = [int(angle) for angle in re.findall(r"angle (\d+)", text)]
    top = angles.index(max(angles))
    assert angles[: top + 1] == sorted(angles[: top + 1])
    assert angles[top:] == sorted(angles[top:], reverse=True)
    assert max(angles) >= 170
    assert 80 <= angles[-1] <= 100


def test_periodic_keeps_its_deadline(run: Run) -> None:
    status, text, report = run("periodic", "3s")
    assert status == 0
    assert held(report)
    assert loops(report)[1]["kind"] == "periodic"
    assert loops(report)[1]["max_response_us"] <= 2000
    counts = [int(count) for count in re.findall(r"primes so far: (\d+)", text)]
    assert len(counts) >= 2
    assert counts == sorted(set(counts))


def test_exact_test_accepts_what_liu_layland_refuses(run: Run) -> None:
    status, _, report = run("exact-test", "3s")
    assert status == 0
    core = report["admission"]["cores"][0]
    assert core["utilization"] > core["liu_layland_bound"]
    assert held(report)
    for loop in report["loops"]:  # all spin: each has its budget in every period
        assert loop["min_cpu_per_period_us"] == pytest.approx(loop["budget_us"], abs=30)


def test_too_much_is_refused_on_one_core_and_accepted_on_two(run: Run) -> None:
    status, text, _ = run("too-much", "1s")
    assert status == 3
    assert "loop 2" in text
    assert "largest budget" in text
    status, _, report = run("too-much", "1s", "--cores", "2")
    assert status == 0
    assert {loop["core"] for loop in report["loops"]} == {0, 1}


def test_epos_clock(run: Run) -> None:
    status, text, report = run("epos-clock/epos-clock.cpp", "11s")
    assert status == 0
    assert held(report)
    assert text.startswith("Current Time: 0\n")
    assert re.search(r"^Elapsed time: 1010000\d$", text, re.M)
    # A call and a wait for each of 100 events, and the wait for the first.
    assert loops(report)[255]["iterations"] == 201


def test_epos_periods_are_exact(run: Run) -> None:
    status, text, report = run("epos-periods/epos-periods.cpp", "300ms")
    assert status == 0
    assert held(report)
    gaps = [int(gap) for gap in text.split()[:10]]
    assert all(9_999 <= gap <= 10_001 for gap in gaps), gaps  # instants are whole microseconds
    assert 99_999 <= sum(gaps) <= 100_001  # and no error adds up


@long_form
def test_epos_glow(run: Run) -> None:
    status, _, report = run("epos-glow/epos-glow.cpp", "700ms")
    assert status == 0
    assert held(report)
    lamps = [report["parts"][f"led{i}"] for i in range(8)]
    # Each is on for as many of 16 steps as it is bright.
    assert all(lamp["edges"] > 100 for lamp in lamps), lamps


@long_form
def test_two_boards(run: Run) -> None:
    """The folder "two-boards": ping runs, pong is wired to it (more in tests/uno/test_two_boards.py)."""
    status, said, report = run(
        "two-boards/ping", "250ms", "--board", "uno", "--allow-path", str(EXAMPLES / "two-boards")
    )
    assert status == 0
    assert len(re.findall(r"pulse answered after \d+ us", said)) == 3
    assert report["boards"]["pong"]["loops"][0]["iterations"] > 1000


def pins(report: Report) -> dict[int, Report]:
    for entry in report["interrupts"]:
        assert entry["edges"] == entry["delivered"] + entry["pending"] + entry["lost"]
    return {entry["pin"]: entry for entry in report["interrupts"]}


def in_time(report: Report) -> bool:
    """No edge took longer to its handler than was promised."""
    return all(0 < e["max_delay_us"] <= e["delay_bound_us"] for e in report["interrupts"])


@LONG_ON_VIRT
def test_sonar_by_interrupts(run: Run, board: str) -> None:
    status, text, report = run("sonar-interrupt", "5s", "--board", board)
    assert status == 0
    assert held(report)
    assert in_time(report)
    told = [int(line) for line in text.splitlines() if line.strip().isdigit()]
    # The wall comes nearer by 30 cm a second, and it tells each 250 ms or somewhat later.
    assert told[1] > 185
    assert all(6 <= before - now <= 12 for before, now in pairwise(told[1:])), told
    assert pins(report)[2]["edges"] == 2 * report["parts"]["sonar"]["echoes"]
    assert loops(report)[3]["min_cpu_per_period_us"] >= 60_000


@LONG_ON_VIRT
def test_encoder(run: Run, board: str) -> None:
    status, text, report = run("encoder", "4500ms", "--board", board)
    assert status == 0
    assert held(report)
    assert in_time(report)
    assert pins(report)[2]["delay_bound_us"] < 5_000  # before B changes
    assert pins(report)[2]["delivered"] == 400
    assert [line for line in text.splitlines() if line.strip().isdigit()][-1] == "400"


@one_in(2)
@WITH_HANDLERS
def test_debounce(run: Run, board: str) -> None:
    status, text, report = run("debounce", "3s", "--board", board)
    assert status == 0
    assert held(report)
    assert re.findall(r"presses (\d+)", text) == ["1", "2", "3", "4"]
    button = report["parts"]["button"]
    assert pins(report)[2]["edges"] == button["edges"] > 8  # it bounced
    assert pins(report)[2]["delivered"] == button["edges"]


def test_quick_stop(run: Run) -> None:
    status, text, report = run("quick-stop", "2700ms")
    assert status == 0
    assert held(report)
    assert in_time(report)
    switch = pins(report)[2]
    assert switch["delivered"] >= 3  # the release bounces as well
    assert switch["lost"] == switch["lost_because"]["too_soon"] > 0  # it bounced
    assert switch["max_delay_us"] <= switch["delay_bound_us"] < 50
    assert int(re.findall(r"stops (\d+)", text)[-1]) == switch["delivered"]


@LONG_ON_VIRT
def test_flow_meter(run: Run, board: str) -> None:
    status, text, report = run("flow-meter", "3s", "--board", board)
    assert status == 0
    assert held(report)
    good, bad = pins(report)[3], pins(report)[2]
    assert good["delivered"] >= good["edges"] - 1 >= 118
    assert good["lost"] == 0
    assert good["max_delay_us"] <= good["delay_bound_us"]
    # On virt the pin has one bit for what comes while nobody looks; nowhere is an edge forgotten.
    assert bad["edges"] + bad["may_have_merged"] >= 199_000
    assert bad["delivered"] < 100_000
    pulses = [int(count) for count in re.findall(r"pulses (\d+)", text)]
    assert all(9 <= count <= 11 for count in pulses[1:]), pulses
    assert loops(report)[1]["deadline_misses"] == 0


def test_flight(run: Run) -> None:
    """More in test_flight.py."""
    status, text, report = run("flight", "12s")
    assert status == 0
    assert held(report)
    assert not report["parts"]["helicopter"]["upset"]
    assert "AHRS" in text


def test_command_parser(run: Run) -> None:
    status, _, report = run("command-parser", "1s")
    assert status == 0
    assert held(report)
    assert report["parts"]["host"]["all_seen"]
    assert report["serial"][0]["bytes_lost"] == 0
    assert loops(report)[1]["releases"] >= 990
