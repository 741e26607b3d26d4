"""Whole runs by the real command on the simulated board: what is written, what repeats, how it ends."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb
from tests.campaign import except_virt, long_form, one_in
from tests.commands import ENTRY, Done, run_hocket

from hocket.report import load_report
from hocket.trace.eventlog import EventKind, read_log

ROOT = Path(__file__).resolve().parents[2]
ROVER = ROOT / "examples" / "rover"

Hocket = Callable[..., Done]
Make = Callable[[str], Path]


@pytest.fixture
def hocket(tmp_path: Path) -> Hocket:
    def run(*arguments: str | Path) -> Done:
        return run_hocket(*arguments, cwd=tmp_path)

    return run


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """make(text): a sketch folder `demo` with this text."""

    def sketch(text: str) -> Path:
        folder = tmp_path / "demo"
        folder.mkdir(exist_ok=True)
        (folder / "demo.ino").write_text(text)
        return folder

    return sketch


SETUP = "void setup() { Serial.begin(115200); }\n"


def test_two_runs_write_the_same_bytes(hocket: Hocket, tmp_path: Path) -> None:
    written: list[list[bytes]] = []
    outputs = []
    for name in ("first", "second"):
        files = [tmp_path / f"{name}{ending}" for ending in (".json", ".pftrace", ".hklog", ".vcd")]
        options = ["--cores", "2", "--for", "2s", "--seed", "7"]
        done = hocket(
            "run", ROVER, *options, "--json", files[0], "--trace", files[1], "--vcd", files[3]
        )
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
        assert hocket("run", ROVER, *options, "--trace", files[2]).returncode == 0
        written.append([file.read_bytes() for file in files])
    assert outputs[0] == outputs[1]
    for one, other in zip(*written, strict=True):
        assert one
        assert one == other


def test_report_and_table_say_the_same(hocket: Hocket, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    done = hocket("run", ROVER, "--for", "1s", "--json", file)
    report = load_report(file)
    assert (report["sketch"], report["board"], report["end"]) == ("rover", "sim", "time")
    assert report["duration_us"] == 1_000_000
    shown = hocket("report", file)
    assert shown.returncode == 0
    assert shown.stdout
    assert done.stdout.endswith(shown.stdout)


@long_form
def test_trace_tells_the_runs_story(hocket: Hocket, tmp_path: Path) -> None:
    log, report = tmp_path / "t.hklog", tmp_path / "r.json"
    assert hocket("run", ROVER, "--for", "1s", "--trace", log, "--json", report).returncode == 0
    events = read_log(log)
    assert {"loop 1", "loop 2"} <= set(events.thread_names().values())
    counters = load_report(report)["counters"]
    timers = sum(event.kind == EventKind.TIMER for event in events.events)
    assert timers == counters["timer_interrupts"]
    assert hocket("trace", log).stdout.count("\n") == len(events.events)

    assert hocket("trace", log, "-o", tmp_path / "t.pftrace").returncode == 0
    trace: Any = pb.Trace()
    trace.ParseFromString((tmp_path / "t.pftrace").read_bytes())
    names = {p.track_descriptor.name for p in trace.packet if p.HasField("track_descriptor")}
    assert {"core 0", "loop 1", "loop 2"} <= names

    assert hocket("trace", log, "-o", tmp_path / "t.vcd").returncode == 0
    assert "loop_1_running" in (tmp_path / "t.vcd").read_text()


@long_form
def test_sigrok_reads_both_waves(hocket: Hocket, tmp_path: Path) -> None:
    files = [tmp_path / "trace.vcd", tmp_path / "pins.vcd"]
    done = hocket("run", ROVER, "--for", "300ms", "--trace", files[0], "--vcd", files[1])
    assert done.returncode == 0
    for file in files:
        read = subprocess.run(
            ["sigrok-cli", "-I", "vcd", "-i", str(file), "--show"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert read.returncode == 0, read.stderr
        assert "Channels" in read.stdout


def test_refusal_is_one_sentence(hocket: Hocket, make: Make) -> None:
    folder = make(SETUP + "void loop(1, 70, 100) {}\nvoid loop(2, 60, 100) {}\n")
    for command in ("run", "check"):
        done = hocket(command, folder)
        assert done.returncode == 3
        lines = [line for line in done.stderr.splitlines() if line.startswith("hocket: refused: ")]
        assert len(lines) == 1
        for fact in ("loop 2", "core 0", "60 ms", "100 ms", "of loop 2 that would fit is"):
            assert fact in lines[0]
    assert hocket("check", folder, "--cores", "2").returncode == 0


def test_a_fault_names_the_sketchs_line(hocket: Hocket, make: Make, tmp_path: Path) -> None:
    text = "void loop(1, 10, 100) {\n  poke((int*)16);\n}\n"
    text += 'void loop(2, 10, 100) { Serial.println("alive"); delay(100); }\n'
    text += "[[gnu::noinline]] int poke(int* p) {\n  return *p = 3;\n}\n"
    folder = make(SETUP + text)
    done = hocket("run", folder, "--for", "1s", "--json", tmp_path / "r.json")
    assert done.returncode == 1
    assert done.stdout.count("alive") >= 9, "the other loop goes on"
    (fault,) = load_report(tmp_path / "r.json")["faults"]
    assert (fault["loop"], fault["address"]) == (1, 16)
    assert "demo/demo.ino:7, in poke(int*)" in fault["text"]
    assert f"fault: loop 1: {fault['text']} at 0x10" in done.stdout


@one_in(5)
@pytest.mark.parametrize(
    ("options", "status", "end"),
    [
        ([], 0, "time"),
        (["--expect-text", "round 3"], 0, "expected"),
        (["--expect-text", "round 3", "--expect-text", "round 5"], 0, "expected"),
        (["--expect-text", "round 99999"], 42, "time"),
        (["--fail-text", "round 3"], 1, "failed"),
        (["--expect-text", "round 5", "--fail-text", "round 3"], 1, "failed"),
    ],
)
def test_expectations(
    hocket: Hocket, make: Make, tmp_path: Path, options: list[str], status: int, end: str
) -> None:
    text = 'void loop() { static int n; Serial.print("round "); Serial.println(++n); delay(50); }\n'
    file = tmp_path / "r.json"
    done = hocket("run", make(SETUP + text), "--for", "1s", "--json", file, *options)
    assert (done.returncode, load_report(file)["end"]) == (status, end)


@one_in(2)
@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (
            'void setup() { Serial.begin(2000000); }\nvoid loop() { Serial.println("flood"); }\n',
            ["--serial-limit", "1000"],
            "Serial sent more than 1000 bytes",
        ),
        ("void setup() { for (;;) delay(1); }\nvoid loop() {}\n", [], "setup() had not returned"),
    ],
)
def test_runs_that_cannot_be_used(
    hocket: Hocket, make: Make, text: str, options: list[str], said: str
) -> None:
    done = hocket("run", make(text), "--for", "1s", *options)
    assert done.returncode == 2
    assert f"hocket: {said}" in done.stderr


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        ("parts: [", "scenario.yaml:1"),
        ("parts:\n  - led: 99\n", "scenario.yaml:"),
    ],
)
def test_a_broken_scenario(hocket: Hocket, make: Make, scenario: str, said: str) -> None:
    folder = make(SETUP + "void loop() {}\n")
    (folder / "scenario.yaml").write_text(scenario)
    done = hocket("run", folder)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_pin_that_the_board_lacks_is_a_notice(hocket: Hocket, make: Make, tmp_path: Path) -> None:
    text = "void loop() { digitalWrite(99, HIGH); digitalRead(-1); digitalWrite(13, HIGH); delay(9); }\n"
    done = hocket("run", make(SETUP + text), "--for", "1s", "--json", tmp_path / "r.json")
    assert done.returncode == 0
    first, second = load_report(tmp_path / "r.json")["notices"]
    assert first.startswith("the sketch uses pin 99, which this board lacks (it has 0 to 69)")
    assert second.startswith("the sketch uses pin -1,")
    assert f"notice: {first}" in done.stdout


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_what_is_written_to_a_closed_port_is_a_notice(
    hocket: Hocket, make: Make, board: str
) -> None:
    text = (
        'void setup() { Serial.print("hello"); }\nvoid loop() { Serial1.begin(9600); delay(9); }\n'
    )
    done = hocket("run", make(text), "--for", "10ms", "--board", board)
    assert done.returncode == 0
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("notice: ")]
    assert line.startswith("notice: The sketch wrote 5 bytes to Serial while it was closed")


def test_ctrl_c_ends_with_the_table(make: Make, tmp_path: Path) -> None:
    folder = make(SETUP + 'void loop() { Serial.println("tick"); delay(1000); }\n')
    report = tmp_path / "r.json"
    command = [str(ENTRY), "run", str(folder), "--for", "100h", "--json", str(report)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "tick\n"
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert process.returncode == 130
    assert "interrupted" in rest
    assert load_report(report)["end"] == "interrupted"


@long_form
def test_build_copies_a_program_that_runs(hocket: Hocket, make: Make, tmp_path: Path) -> None:
    folder = make(SETUP + 'void loop() { Serial.println("hello"); delay(1000); }\n')
    done = hocket("build", folder, "-o", tmp_path / "image")
    assert (done.returncode, done.stdout) == (0, "image\n")
    ran = subprocess.run(
        [str(tmp_path / "image"), "--for", "1500000000"], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "hello\nhello\n"


@long_form
def test_a_new_sketch_runs_at_once(hocket: Hocket) -> None:
    assert hocket("new", "fresh", "--loops", "5").returncode == 0
    done = hocket("run", "fresh", "--for", "3s")
    assert done.returncode == 0
    assert len(re.findall(r"^\d+ loop ", done.stdout, re.MULTILINE)) == 5
    assert "loop 5: round 2" in done.stdout
