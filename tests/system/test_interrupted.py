"""Ctrl-C and SIGTERM end every command with 130, whatever was asked of it, and what ran is told."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from pathlib import Path

import pytest
from tests.campaign import every_so_often, in_turn, one_in
from tests.commands import ENTRY, PROGRESS, run_hocket

SKETCH = """
void setup() { Serial.begin(115200); Serial.println("ready"); }
void loop() { delay(1); }
"""


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("interrupted") / "endless"
    folder.mkdir()
    (folder / "endless.ino").write_text(SKETCH)
    for board in ("sim", "virt", "uno"):
        assert run_hocket("build", folder, "--board", board).returncode == 0
    return folder


def hears_all() -> None:
    """Whoever started the tests in the background may have had some of them ignored (`&`, `nohup`)."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def interrupt(number: signal.Signals, *words: str | Path) -> tuple[int, str, str]:
    """Status, output and errors of a run that gets the signal when its sketch has said something."""
    command = [str(ENTRY), "run", *map(str, words), "--for", "100h"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hears_all,
    ) as process:
        assert process.stdout is not None
        # It is shown when it is sent, although the sketch asks nothing of its board afterwards.
        assert select.select([process.stdout], [], [], 120)[0], "nothing was shown"
        assert process.stdout.readline().strip() == "ready"
        os.kill(process.pid, number)
        assert process.stderr is not None
        output, errors = process.stdout.read(), process.stderr.read()
    return process.returncode, output, errors


@one_in(7)
@pytest.mark.parametrize("board", ["sim", "virt", "uno"])
@pytest.mark.parametrize(
    ("number", "options"),
    [
        (signal.SIGINT, []),
        (signal.SIGINT, ["--expect-text", "never"]),
        (signal.SIGTERM, []),
        (signal.SIGHUP, []),
    ],
    ids=["plain", "expecting", "terminated", "hung up"],
)
def test_a_run_that_is_interrupted(
    endless: Path, board: str, number: signal.Signals, options: list[str]
) -> None:
    status, output, errors = interrupt(number, endless, "--board", board, *options)
    assert status == 130
    assert "interrupted" in output  # of the table: what ran is told
    assert errors.splitlines()[-1] == "hocket: interrupted"


def test_an_experiment_that_is_interrupted_is_no_finding(tmp_path: Path) -> None:
    """Nothing of it is printed or written."""
    results = ENTRY.parent / "results"
    before = {file: file.read_bytes() for file in results.glob("loop-predictability*")}
    with subprocess.Popen(
        [str(ENTRY), "bench", "loop-predictability"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hears_all,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert "experiment loop-predictability" in process.stderr.readline()
        os.kill(process.pid, signal.SIGINT)
        output, errors = process.stdout.read(), process.stderr.read()
    assert (process.returncode, output) == (130, "")
    assert errors.splitlines()[-1] == "hocket: interrupted"
    assert {file: file.read_bytes() for file in results.glob("loop-predictability*")} == before


@one_in(4)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_build_that_is_ended(tmp_path: Path, number: signal.Signals) -> None:
    """The signal comes to the command alone, not to its compilers as well; the next build is a whole one."""
    folder = tmp_path / "slow"
    folder.mkdir()
    deep = "constexpr unsigned f(unsigned n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
    text = f"{deep}constexpr unsigned long_one = f(24);\n{SKETCH}"
    (folder / "slow.ino").write_text(text)
    with subprocess.Popen(
        [str(ENTRY), "build", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
        preexec_fn=hears_all,
    ) as process:
        assert process.stderr is not None
        said = [next(process.stderr)]
        while "compiling" not in said[-1]:
            said.append(next(process.stderr))
        os.kill(process.pid, number)
        rest = process.stderr.read()
    assert (process.returncode, rest) == (130, "hocket: interrupted\n")
    assert run_hocket("build", folder).returncode == 0


@in_turn(5)
@pytest.mark.parametrize("words", [["boards"], ["--help"], ["check", "examples/blink"]])
@pytest.mark.parametrize("step", every_so_often(list(range(40)), 5))
def test_an_interruption_while_it_begins(step: int, words: list[str]) -> None:
    """From 5 ms on, each 12.5 ms, as Ctrl-C: to all processes of the command. Between the entry's last
    instruction and the next program's first nothing of ours can answer: such a one ends silently."""
    with subprocess.Popen(
        [str(ENTRY), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        process_group=0, preexec_fn=hears_all, cwd=ENTRY.parent,
    ) as process:  # fmt: skip
        try:
            process.wait(0.005 + step / 80)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate()
    assert "Traceback" not in errors
    said = [line for line in errors.splitlines() if not PROGRESS.match(line)]
    assert (process.returncode, said) in (
        (130, ["hocket: interrupted"]),
        (0, []),
        (-signal.SIGINT, []),
    )


def test_nohup_goes_on(endless: Path) -> None:
    # As nohup does it, before there is anybody whom the signal could reach.
    line = f"trap '' HUP; {ENTRY} run {endless} --for 1s >out 2>err & kill -HUP $!; wait $!"
    done = subprocess.run(
        ["bash", "-c", line], cwd=endless.parent, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (endless.parent / "err").read_text()
    assert "ran to the end of its time" in (endless.parent / "out").read_text()
