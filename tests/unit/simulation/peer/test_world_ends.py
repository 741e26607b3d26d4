"""How runs in the world end: by themselves, by an interrupt, with kernels that have a defect (plays.py)."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from tests.campaign import one_in
from tests.unit.simulation.peer.played import FOLDER, SECOND, Play, end_of

from hocket.boards import find_board
from hocket.running.programs import of_board


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


@one_in(3)
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
    assert (done.status, end_of(done)) == (130, "interrupted")


@one_in(2)
@pytest.mark.parametrize("name", ["two_interrupts", "silent_after_interrupt"])
def test_a_kernel_that_does_not_answer_an_interrupt(play: Play, name: str) -> None:
    done = play(name)
    assert (done.status, done.facts) == (130, None)
    assert "interrupted" in done.said[-1]
    assert "left no facts" in done.said[-1]


def test_the_emulator_never_outlives_the_world(world: Path, tmp_path: Path) -> None:
    process = tmp_path / "process"
    command = [str(world), *of_board(find_board("virt")), "--client", str(FOLDER / "plays.py")]
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


@one_in(5)
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
        ("beside_in_no_state", "it says that the system beside is in the state 4"),
        ("beside_on_too_many_cores", "it says that the system beside has 2 cores of 1"),
        ("beside_for_too_long", "it says that the system beside had 8 ns of a core after 7 ns"),
        ("beside_twice", "it sent the facts of the system beside twice"),
        ("bounds_twice", "it sent the costs of bounds twice"),
        ("bounds_of_a_clock_that_stands", "it says that its clock stands still"),
        ("terms_before_costs", "it sent terms of bounds before their costs"),
        ("a_rank_on_no_core", "it says that the virtual CPU of loop 1 is on core 1"),
        (
            "a_rank_without_a_budget",
            "it says that the virtual CPU of loop 1 has a contract that cannot be",
        ),
        ("interrupts_without_a_distance", "it says that interrupts have the distance 0"),
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
