"""Starting the board's program: Serial as it comes, how it ended, Ctrl-C. The programs here are scripts
that do one thing each; whole sketches are run in tests/system."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hocket.commands.run import run_command
from hocket.errors import HocketError
from hocket.running.request import Request
from hocket.simulator import simulate

TOOLS = Path(__file__).resolve().parents[3] / "tools"


def program(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "program"
    file.write_text(f"#!{sys.executable}\nimport os, signal, sys, time\n{text}")
    file.chmod(0o755)
    return file


@pytest.mark.parametrize("status", [0, 1, 2, 3, 42, 70])
def test_the_status_is_passed_on(tmp_path: Path, status: int) -> None:
    ended = simulate([program(tmp_path, f"sys.exit({status})")], lambda: None)
    assert ended.status == status
    assert ended.messages == []
    assert not ended.open_line


def test_serial_bytes_are_passed_on_unchanged(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    text = "os.write(1, bytes(range(256)) * 1000)\nos.write(2, b'hocket: a: b\\n\\xff')"
    calls: list[int] = []
    ended = simulate([program(tmp_path, text)], lambda: calls.append(1))
    assert capfdbinary.readouterr().out == bytes(range(256)) * 1000
    assert ended.messages == ["hocket: a: b", "\ufffd"]
    assert ended.open_line
    assert calls == [1]


def test_a_crash_is_a_defect(tmp_path: Path) -> None:
    ended = simulate([program(tmp_path, "os.kill(os.getpid(), signal.SIGSEGV)")], lambda: None)
    assert ended.status == 70
    assert "SIGSEGV" in ended.messages[-1]


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(HocketError, match="cannot be started"):
        simulate([tmp_path / "nothing"], lambda: None)


STREAMING = """
import sys
sys.path.insert(0, sys.argv[1])
from hocket.simulator import simulate
sys.exit(simulate([sys.argv[2]], lambda: None).status)
"""


def start(file: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", STREAMING, str(TOOLS), str(file)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def test_serial_is_live(tmp_path: Path) -> None:
    """The first byte arrives while the program waits for this test to go on."""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    text = f"os.write(1, b'first')\nopen({str(gate)!r}).read()\nos.write(1, b'second')"
    with start(program(tmp_path, text)) as process:
        assert process.stdout is not None
        assert select.select([process.stdout], [], [], 60)[0], "nothing came before the end"
        assert os.read(process.stdout.fileno(), 100) == b"first"
        gate.write_text("go")
        assert process.stdout.read() == b"second"
    assert process.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupts_reach_the_program_as_one_sigint(tmp_path: Path, number: signal.Signals) -> None:
    text = """
count = 0
def handler(*_):
    global count
    count += 1
signal.signal(signal.SIGINT, handler)
os.write(1, b'ready')
while not count:
    signal.pause()
os.write(1, b' %d' % count)
sys.exit(7)
"""
    with start(program(tmp_path, text)) as process:
        assert process.stdout is not None
        assert os.read(process.stdout.fileno(), 100) == b"ready"
        process.send_signal(number)
        assert process.stdout.read() == b" 1"
    assert process.returncode == 7


def test_a_program_that_does_not_listen_is_killed(tmp_path: Path) -> None:
    text = """
signal.signal(signal.SIGINT, lambda *_: os.write(1, b'.'))
os.write(1, b'ready')
while True:
    signal.pause()
"""
    with start(program(tmp_path, text)) as process:
        assert process.stdout is not None
        assert os.read(process.stdout.fileno(), 100) == b"ready"
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            assert os.read(process.stdout.fileno(), 1) == b"."
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == b""
    assert process.returncode == 70


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (Request("s", board="virt", cores=9), "--cores 9 is out of range"),
        (Request("s", board="rpi3", cores=5), "--cores 5 is out of range"),
        (Request("s", board="zx81"), "there is no board 'zx81'"),
        (Request("s", cores=0), "--cores 0 is out of range"),
        (Request("s", cores=65), "--cores 65 is out of range"),
        (Request("s", duration="10"), "--for '10' is not a duration"),
        (Request("s", seed=-1), "--seed -1 is out of range"),
        (Request("s", expect_text=("",)), "--expect-text is empty"),
        (Request("s", serial_limit=0), "--serial-limit 0 is out of range"),
        (Request("s", report=Path("/nowhere/r.json")), "--json /nowhere/r.json cannot be written"),
        (Request("s", vcd=Path("/")), "--vcd / cannot be written"),
        (Request("s", vcd=Path("w.png")), "--vcd w.png: .png is none of its formats"),
        (Request("s", trace=Path("l.svg")), "--trace l.svg: .svg is none of its formats"),
        (Request("s", trace=Path("l.json")), "--trace l.json: .json is none of its formats"),
        (Request("s", html=Path("p.pdf")), "--html p.pdf: .pdf is none of its formats"),
        (Request("nothere"), "there is no sketch nothere"),
    ],
)
def test_what_cannot_work_is_refused_before_building(request_: Request, said: str) -> None:
    with pytest.raises(HocketError) as caught:
        run_command(request_)
    assert caught.value.fact == said
    assert caught.value.next_step
    assert caught.value.exit_code == 2
