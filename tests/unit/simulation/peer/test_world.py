"""The world around a board in an emulator, served to kernels that tests play (plays.py)."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from hocket.builder import prepare_world
from hocket.report import make_report, schema
from hocket.scenario import load
from hocket.trace.eventlog import read_log

FOLDER = Path(__file__).parent
SECOND = 1_000_000_000


@dataclass
class Done:
    status: int
    serial: bytes
    said: list[str]
    facts: dict[str, Any] | None


Play = Callable[..., Done]


@pytest.fixture(scope="session")
def world() -> Path:
    return prepare_world()


@pytest.fixture
def play(world: Path, tmp_path: Path) -> Play:
    """play(name, …): the world serves the kernel of that name; nothing of it may be left behind."""

    def run(name: str, *options: str | Path, board: str = "virt", duration: int = SECOND) -> Done:
        pipes = tmp_path / "pipes"
        pipes.mkdir(exist_ok=True)
        facts = tmp_path / "facts.json"
        facts.unlink(missing_ok=True)
        command = [world, "--board", board, "--client", FOLDER / "plays.py", "--facts", facts]
        done = subprocess.run(
            [str(word) for word in [*command, "--for", duration, *options]],
            env=os.environ | {"HOCKET_PLAY": name, "TMPDIR": str(pipes)},
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert list(pipes.iterdir()) == []
        found = json.loads(facts.read_text()) if facts.is_file() else None
        said = done.stderr.decode().splitlines()
        assert all(line.startswith("hocket: ") for line in said)
        return Done(done.returncode, done.stdout, said, found)

    return run


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


# --- How runs end ---


def end_of(done: Done) -> str:
    assert done.facts is not None
    return str(done.facts["end"])


def test_an_expected_text_ends_the_run(play: Play) -> None:
    done = play("endless_talk", "--expect-text", "tick 9\n")
    assert (done.status, end_of(done)) == (0, "expected")
    assert done.serial.endswith(b"tick 9\n")
    assert done.facts is not None
    # When the text has left, not when somebody speaks next: 7 bytes at 115200 baud.
    assert done.facts["duration_us"] == pytest.approx(9000 + 7 * 10 / 0.1152, abs=0.01)


def test_a_text_that_does_not_come(play: Play) -> None:
    done = play("endless_talk", "--expect-text", "tock")
    assert (done.status, end_of(done)) == (42, "time")


def test_a_forbidden_text(play: Play) -> None:
    done = play("endless_talk", "--fail-text", "tick 3")
    assert (done.status, end_of(done)) == (1, "failed")
    assert done.serial.endswith(b"tick 3")  # the run ends with the text's last byte


def test_the_serial_limit(play: Play) -> None:
    done = play("endless_talk", "--serial-limit", "20")
    assert (done.status, end_of(done)) == (2, "serial limit")
    assert len(done.serial) == 20


def test_a_refusal(play: Play) -> None:
    done = play("refused")
    assert (done.status, end_of(done)) == (3, "refused")
    assert done.said == ["hocket: refused: loop 2 does not fit"]
    assert done.facts is not None
    assert done.facts["admission"]["reasons"] == ["loop 2 does not fit"]
    assert done.facts["loops"][0]["core"] is None
    assert done.facts["counters"] is None


def test_a_check(play: Play) -> None:
    done = play("checked", "--check")
    assert (done.status, end_of(done)) == (0, "check")
    assert done.facts is not None
    loop = done.facts["loops"][0]
    assert (loop["response_bound_us"], loop["iterations"]) == (33_000, None)


def test_a_sketch_that_cannot_be_used(play: Play) -> None:
    done = play("unusable")
    assert (done.status, done.facts) == (2, None)
    assert done.said == ["hocket: two loops have the id 3"]


def test_faults(play: Play) -> None:
    done = play("faulted")
    assert (done.status, end_of(done), done.serial) == (1, "fault", b"last words\n")
    assert done.facts is not None
    assert done.facts["faults"] == [
        {"loop": 3, "kind": "bad access", "address": 16, "text": "x" * 120, "code": 0x10000040},
        {"loop": None, "kind": "call", "address": None, "text": "called exit()", "code": None},
    ]
    assert any("started again 2 times" in notice for notice in done.facts["notices"])


def test_setup_that_does_not_end(play: Play) -> None:
    done = play("in_setup")
    assert (done.status, end_of(done)) == (2, "setup")


@pytest.mark.parametrize(
    ("options", "board", "notice"),
    [
        ((), "virt", None),
        ((), "rpi3", "share one clock"),
        (("--no-icount",), "virt", "runs do not repeat"),
    ],
)
def test_what_times_are_worth(
    play: Play, options: tuple[str, ...], board: str, notice: str | None
) -> None:
    facts = play("in_setup", *options, board=board).facts
    assert facts is not None
    found = [text for text in facts["notices"] if "times are" in text]
    assert [notice in text for text in found] == ([True] if notice else [])


# --- Interrupts ---


def test_an_interrupt_ends_the_run_with_facts(play: Play) -> None:
    done = play("interrupted", duration=3600 * SECOND)
    assert (done.status, end_of(done)) == (0, "interrupted")


@pytest.mark.parametrize("name", ["two_interrupts", "silent_after_interrupt"])
def test_a_kernel_that_does_not_answer_an_interrupt(play: Play, name: str) -> None:
    done = play(name)
    assert (done.status, done.facts) == (130, None)
    assert "interrupted" in done.said[-1]
    assert "left no facts" in done.said[-1]


def test_the_emulator_never_outlives_the_world(world: Path, tmp_path: Path) -> None:
    process = tmp_path / "process"
    command = [str(world), "--board", "virt", "--client", str(FOLDER / "plays.py")]
    environment = {"HOCKET_PLAY": "killed_world", "HOCKET_PROCESS": str(process)}
    done = subprocess.run(
        command,
        env=os.environ | environment | {"TMPDIR": str(tmp_path)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == -9
    number = int(process.read_text())
    for _ in range(500):  # init may take a moment to fetch it
        state = Path(f"/proc/{number}/stat")
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.01)
    pytest.fail("the client lives on")


# --- Kernels with a defect ---


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("back_in_time", "it went back in time"),
        ("no_hello", 'it sent "look" before it had said hello'),
        ("two_hellos", "it said hello twice"),
        ("other_version", "it speaks version 7 of the protocol"),
        ("too_few_cores", "it found 0 cores, not 1"),
        ("unknown_operation", "it sent the unknown operation 999"),
        ("large_payload", "it announced a payload of 4294967295 bytes"),
        ("odd_payload", 'it sent "log" with 25 bytes'),
        ("log_of_no_core", "it logged an event of no core"),
        ("no_facts", "it said goodbye without the facts of the run"),
        ("too_late", "it went on after the end of the run"),
    ],
)
def test_a_kernel_that_breaks_the_rules(play: Play, name: str, sentence: str) -> None:
    done = play(name)
    assert (done.status, done.facts) == (70, None)
    assert done.said[-1].startswith(f"hocket: defect of the kernel: {sentence}")


def test_an_emulator_that_ends(play: Play) -> None:
    done = play("dies")
    assert (done.status, done.facts) == (70, None)
    assert done.said == [
        "hocket: the emulator said: panic: no memory",
        "hocket: the emulator said: at 0x80000",
        "hocket: the emulator ended with status 9 before the run was over",
    ]
    done = play("cut_off")
    assert done.status == 70
    assert "ended with status 3" in done.said[-1]


# --- Options ---


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "--board is missing: virt or rpi3"),
        (["--board", "uno"], '--board takes virt or rpi3, not "uno"'),
        (["--board", "virt"], "--image is missing: the kernel with the sketch"),
        (["--board", "rpi3", "--image", "x", "--cores", "5"], "--cores: rpi3 has 1 to 4 cores"),
        (["--board", "virt", "--image"], '"--image" is no option of this program, or lacks'),
        (["--board", "virt", "--image", "x", "--scenario", "no/such"], "cannot read the scenario"),
        (["--board", "virt", "--image", "x", "--log", "no/such/log"], "cannot write the event log"),
        (["--board", "virt", "--client", "no/such/program"], "no/such/program is not there"),
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
        [str(world), "--board", "virt", "--image", "x"],
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
        [str(world), "--board", "virt", "--image", str(tmp_path / "no such, kernel.elf")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 70
    assert "no such, kernel.elf" in done.stderr
    assert "ended with status 1 before the run was over" in done.stderr
