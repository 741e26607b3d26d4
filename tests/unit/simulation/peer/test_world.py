"""The world around a board in an emulator, served to kernels that tests play (plays.py)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import jsonschema
import pytest
from tests.bounds.recompute import mismatches
from tests.unit.simulation.peer.played import Play

from hocket.boards import find_board
from hocket.report import make_report, schema
from hocket.running.programs import of_board
from hocket.scenario import load
from hocket.trace.eventlog import read_log


def test_a_run_to_its_end(play: Play, tmp_path: Path) -> None:
    log, vcd = tmp_path / "log.hklog", tmp_path / "pins.vcd"
    done = play("complete", "--seed", "7", "--log", log, "--vcd", vcd)
    assert (done.status, done.serial) == (0, b"x" * 64 + b"hello\n")
    facts = done.facts
    assert facts is not None
    assert (facts["board"], facts["clock"], facts["end"]) == ("virt", "emulated", "time")
    assert (facts["seed"], facts["duration_us"], facts["model"]) == (7, 1_000_000, None)
    assert facts["tick"].startswith("1 ns per instruction")
    assert facts["counters"] == {
        "thread_switches": 11,
        "preemptions": 12,
        "timer_interrupts": 13,
        "sleeps": 14,
        "wakes": 18,
        "ipis": 15,
        "pin_interrupts": None,  # its kernel has none
    }
    assert facts["overheads"] == {
        "interrupt_entry_us": 0.7,
        "context_switch_us": 1.5,
        "timer_interrupt_us": 1.6,
        "timer_lateness_us": 0.1,
        "longest_masked_us": 4,
        "longest_masked_seen_us": None,
        "longest_spinlock_seen_us": 0.017,
        "spinlock_blocking_us": 0,
        "smallest_budget_us": 4.1,
    }
    assert facts["losses"] == {
        "each_wake_up_us": 4.4,
        "small_pieces": 1 / 256,
        "full_list": 1 / 36,
        "full_list_from": 8,
    }
    assert facts["admission"]["cores"] == [
        {"core": 0, "utilization": 0.3, "liu_layland_bound": 1.0}
    ]
    assert [loop["kind"] for loop in facts["loops"]] == ["loop", "periodic"]
    assert facts["loops"][0] == {
        "id": 1,
        "kind": "loop",
        "core": 0,
        "budget_us": 30_000,
        "period_us": 100_000,
        "deadline_us": 100_000,
        "iterations": 7,
        "cpu_us": 123456.789,
        "kernel_us": 1.5,
        "min_cpu_per_period_us": 29_000,
        "max_cpu_per_period_us": None,
        "budget_exhausted": 3,
        "budget_wait_us": None,  # what only watchers from outside see
        "longest_budget_wait_us": None,
        "late_call": None,
        "releases": 9,
        "deadline_misses": 0,
        "max_response_us": 31000.5,
        "response_bound_us": 33_000,
        "thread_switches": 21,
        "preemptions": 22,
        "sleeps": 23,
        "wakes": 24,
        "stack_size": 4096,
        "stack_used": 512,
        "overruns": 4,
        "skipped": None,
    }
    assert facts["serial"][0]["bytes_sent"] == 70
    assert facts["notices"][-1] == "the kernel says hé"
    assert "pin 13000" in facts["notices"][0]
    events = [(e.time_ns, e.kind, e.thread) for e in read_log(log).events]
    assert events == [(5, 12, 1), (20_000_000, 1, 1)]
    assert "D13" in vcd.read_text()
    said = ["'duration', 1000000000", "'seed', 7", "'cores', 1", "'log', 1", "'pins', 70"]
    assert all(any(word in line for line in done.said) for word in said)


def test_the_report_of_it_fits_the_schema(play: Play) -> None:
    facts = play("complete").facts
    assert facts is not None
    report = make_report(facts, "it", "virt", "emulated")
    jsonschema.validate(report, schema())
    assert list(report).index("tick") == list(report).index("clock") + 1


def test_bounds_have_their_terms(play: Play) -> None:
    facts = play("with_terms", "--check").facts
    assert facts is not None
    report = make_report(facts, "it", "virt", "emulated")
    jsonschema.validate(report, schema())
    (rank,) = report["bounds"]["cores"][0]["ranks"]
    assert rank["bound"] == 30_318_500
    assert rank["terms"]["interrupts"] == [{"jobs": 31, "ticks": 310_000}]
    assert mismatches(report) == []


def test_whose_time_it_was_adds_up(play: Play) -> None:
    facts = play("with_another_system", "--cores", "2").facts
    assert facts is not None
    beside = facts["beside"]
    assert (beside["state"], beside["restarts"], beside["cores_on"]) == ("off", 3, 1)
    assert [core["beside_us"] for core in beside["cores"]] == [800_000, 0.005]
    for core in beside["cores"]:
        parts = (core[name] for name in ("beside_us", "loops_us", "for_loops_us", "rest_us"))
        assert sum(parts) == pytest.approx(facts["duration_us"])
        assert core["loops_us"] == pytest.approx(123_456.789)
    jsonschema.validate(make_report(facts, "it", "virt", "emulated"), schema())


def test_levels_hold_until_they_do_not(play: Play, tmp_path: Path) -> None:
    """A kernel that trusts the levels sees every change on time, and asks seldom."""
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text(
        "parts:\n  b: {type: button, pin: 22, pressed: [{at: 100ms, for: 50ms}, "
        "{at: 700ms, for: 1ms}]}\n"
    )
    (tmp_path / "flat").write_text(load(scenario, "virt"))
    said = play("poll_button", "--scenario", tmp_path / "flat").said
    lines = [line.removeprefix("hocket: the emulator said: ") for line in said]
    ms = 1_000_000
    expected = [(100, 0), (150, 1), (700, 0), (701, 1)]
    assert lines[:-1] == [f"change {at * ms} {level}" for at, level in expected]
    assert int(lines[-1].split()[1]) == 1 + len(expected)


def test_watched_edges_are_told_once_with_their_instants(play: Play, tmp_path: Path) -> None:
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text(
        "parts:\n  b: {type: button, pin: 22, pressed: [{at: 100ms, for: 50ms}, "
        "{at: 700ms, for: 1ms}]}\n"
    )
    (tmp_path / "flat").write_text(load(scenario, "virt"))
    done = play("watch_button", "--scenario", tmp_path / "flat")
    said = [line.removeprefix("hocket: the emulator said: ") for line in done.said]
    assert said == ["edge 150000000 1", "edge 701000000 1"]
    facts = done.facts
    assert facts is not None
    assert facts["counters"]["pin_interrupts"] == 2
    assert facts["no_interrupts"]["sections"] == 3
    (entry,) = facts["interrupts"]
    assert (entry["pin"], entry["mode"], entry["loop"]) == (22, "RISING", 254)
    assert (entry["edges"], entry["delivered"], entry["pending"]) == (1, 0, 1)
    assert entry["may_have_merged"] == 1  # the world has told of two
    assert entry["max_delay_us"] == 4.321
    assert (entry["delay_bound_us"], entry["paper_bound_us"]) == (20_000, 19_000)


# --- Options ---

VIRT, RPI3 = of_board(find_board("virt")), of_board(find_board("rpi3"))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "--board is missing: what the board is called"),
        (["--board", "virt"], "--qemu is missing: what makes its machine"),
        (VIRT, "--image is missing: the kernel with the sketch"),
        ([*VIRT, "--memory", "0"], '--memory takes 1 to 65536, the MiB of its memory, not "0"'),
        ([*VIRT, "--image"], '"--image" is no option of this program, or lacks'),
        ([*VIRT, "--image", "x", "--scenario", "no/such"], "cannot read the scenario"),
        ([*VIRT, "--image", "x", "--log", "no/such/log"], "cannot write the event log"),
        ([*VIRT, "--image", "x", "--beside", "2048"], "--beside takes 1 to 1024"),
        ([*VIRT, "--image", "x", "--load", "0x4:f"], "are for --beside"),
        ([*VIRT, "--image", "x", "--beside", "512"], "--beside needs --load"),
        ([*VIRT, "--image", "x", "--load", "4"], '--load takes ADDRESS:FILE, not "4"'),
        (
            [*RPI3, "--image", "x", "--beside=9", "--load=0x4:f", "--console=c"],
            "nothing can be beside the kernel on this board",
        ),
        ([*VIRT, "--client", "no/such/program"], "no/such/program is not there"),
    ],
)
def test_options_that_cannot_be_used(world: Path, options: list[str], sentence: str) -> None:
    done = subprocess.run(
        [str(world), *options], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("hocket: ")
    assert sentence in done.stderr


def test_without_the_emulator(world: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [str(world), *VIRT, "--image", "x"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (
        "hocket: qemu-system-aarch64 is not there: install the package qemu-system-arm\n"
    )


def test_words_of_the_emulator_about_a_bad_image(world: Path, tmp_path: Path) -> None:
    """The real emulator, if it is there: its own sentence comes through."""
    done = subprocess.run(
        [str(world), *VIRT, "--image", str(tmp_path / "no such, kernel.elf")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 70
    assert "no such, kernel.elf" in done.stderr
    assert "ended with status 1 before the run was over" in done.stderr
