"""Whole sketches in QEMU, through the real command: what `hocket run` promises there."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from tests.campaign import long_form
from tests.commands import ENTRY, Done, run_hocket

from hocket.report import schema
from hocket.trace.eventlog import read_log

ROOT = Path(__file__).resolve().parents[2]

TALKER = """\
void setup() { Serial.begin(115200); pinMode(13, OUTPUT); pinMode(22, INPUT_PULLUP); }
void loop(1, 30, 100) {
  static int n;
  digitalWrite(13, n & 1);
  Serial.print("round "); Serial.print(n++);
  Serial.println(digitalRead(22) == LOW ? " pressed" : " free");
  delay(100);
}
void loop(2, 30, 100) { volatile long x = 0; for (;;) x++; }
"""
BUTTON = "parts:\n  b: {type: button, pin: 22, pressed: [{at: 250ms, for: 100ms}]}\n"
WILD = """\
void setup() { Serial.begin(115200); }
void loop(1, 30, 100) {
  Serial.println("going wrong");
  delay(20);
  *(volatile int*)8 = 1;
}
void loop(2, 30, 100) { delay(10); }
"""

Run = Callable[..., Done]


@pytest.fixture
def hocket(tmp_path: Path) -> Run:
    """The command in a folder that has the sketches."""
    for name, text in (("talker", TALKER), ("wild", WILD)):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.ino").write_text(text)
    (tmp_path / "talker" / "scenario.yaml").write_text(BUTTON)

    def run(*arguments: str) -> Done:
        return run_hocket(*arguments, cwd=tmp_path)

    return run


@long_form
@pytest.mark.parametrize(
    ("board", "cores"), [pytest.param("virt", 1, marks=long_form), ("virt", 3), ("rpi3", 1)]
)
def test_two_runs_write_the_same_bytes(hocket: Run, tmp_path: Path, board: str, cores: int) -> None:
    files = ("r.json", "r.hklog", "r.vcd")
    results = []
    for _ in range(2):
        command = ["run", "talker", "--board", board, "--cores", str(cores), "--for", "500ms"]
        done = hocket(*command, "--json", files[0], "--trace", files[1], "--vcd", files[2])
        assert done.returncode == 0, done.stderr
        results.append((done.stdout, [(tmp_path / name).read_bytes() for name in files]))
    assert results[0] == results[1]
    serial = results[0][0].splitlines()[:5]
    words = ["free", "free", "free", "pressed", "free"]  # asked at 0, 100 … ms
    assert serial == [f"round {i} {word}" for i, word in enumerate(words)]


def test_the_report_says_what_its_times_are(hocket: Run, tmp_path: Path) -> None:
    done = hocket("run", "talker", "--board", "virt", "--for", "1s", "--json", "r.json")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    jsonschema.validate(report, schema())
    assert (report["board"], report["clock"], report["model"]) == ("virt", "emulated", None)
    assert (report["duration_us"], report["end"]) == (1_000_000, "time")
    assert "\nvirt: 1 ns per instruction: a count, not a measurement of a board\n" in done.stdout
    assert report["parts"]["b"]["presses"] == 1
    assert report["serial"][0]["bytes_sent"] == len(done.stdout.partition("talker on")[0]) + 10
    talks, computes = report["loops"]
    assert (talks["iterations"], computes["iterations"]) == (9, 0)
    assert computes["max_cpu_per_period_us"] == pytest.approx(30_000, rel=0.01)
    assert all(loop["deadline_misses"] == 0 for loop in report["loops"])
    again = hocket("report", "r.json")
    assert done.stdout.endswith(again.stdout)


@long_form
def test_the_event_log_has_the_loops(hocket: Run, tmp_path: Path) -> None:
    command = ["run", "talker", "--board", "virt", "--for", "300ms", "--trace", "r.hklog"]
    assert hocket(*command).returncode == 0
    log = read_log(tmp_path / "r.hklog")
    assert {"loop 1", "loop 2"} <= set(log.thread_names().values())
    assert max(event.time_ns for event in log.events) >= 200_000_000


@long_form
def test_a_text_ends_the_run(hocket: Run) -> None:
    command = ["run", "talker", "--board", "virt", "--for", "1h"]
    done = hocket(*command, "--expect-text", "pressed")
    assert done.returncode == 0, done.stderr
    assert "the expected text was seen" in done.stdout
    assert hocket(*command, "--fail-text", "round 1").returncode == 1
    command[-1] = "200ms"
    assert hocket(*command, "--expect-text", "pressed").returncode == 42


def test_a_fault_has_its_place_in_the_sketch(hocket: Run) -> None:
    done = hocket("run", "wild", "--board", "virt", "--for", "500ms")
    assert done.returncode == 1
    assert re.search(
        r"^fault: loop 1: .*\(wild/wild\.ino:5, in loop 1\) at 0x8$", done.stdout, re.M
    )
    row = next(line for line in done.stdout.splitlines() if line.startswith("2 loop"))
    assert int(row.split()[5]) > 40, "the other loop goes on"


@long_form
def test_a_refusal(hocket: Run) -> None:
    for command in ("check", "run"):
        done = hocket(command, str(ROOT / "examples" / "too-much"), "--board", "virt")
        assert done.returncode == 3
        assert "hocket: refused: loop 2 asks for 60 ms in every 100 ms" in done.stderr


@long_form
def test_an_interrupt_ends_the_run_with_its_table(hocket: Run, tmp_path: Path) -> None:
    assert hocket("build", "talker", "--board", "virt").returncode == 0
    process = subprocess.Popen(
        [str(ENTRY), "run", "talker", "--board", "virt", "--for", "1000h"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "round 0 free\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert process.returncode == 130
    assert "; interrupted\n" in rest
    assert "\n2 loop " in rest


@long_form
def test_a_card_has_the_kernel_where_the_firmware_puts_it(hocket: Run, tmp_path: Path) -> None:
    done = hocket("build", "talker", "--board", "rpi3", "-o", "card")
    assert (done.returncode, done.stdout) == (0, "card\n"), done.stderr
    kernel = (tmp_path / "card" / "kernel8.img").read_bytes()
    assert len(kernel) > 10_000
    assert b"round " in kernel, "the sketch is in it"
    done = hocket("flash", "talker", "--board", "rpi3", "--card", "card", "--force")
    assert done.returncode == 0, done.stderr
    assert "bootcode.bin, start.elf, fixup.dat missing" in done.stdout
    assert (tmp_path / "card" / "kernel8.img").read_bytes() == kernel
