"""What `hocket run` sends to Serial: a pipe, a file, keys as they are typed; and what it leaves alone."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form, one_in
from tests.commands import ENTRY, ROOT, apart

from hocket.report import load_report

# What it hears it sends back, each line at once.
ECHO = """void setup() { Serial.begin(9600); }
void loop(1, 2ms, 10ms) { while (Serial.available() > 0) Serial.write(Serial.read()); delay(1); }
"""
NEXT = 5  # s: a guard where nothing is to be waited for
PATIENCE = 120

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def sketch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("input") / "echo"
    folder.mkdir()
    (folder / "echo.ino").write_text(ECHO, encoding="utf-8")
    return folder


def command(*words: str | Path) -> list[str]:
    return [str(ENTRY), "run", *map(str, words)]


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "tools")}


def run(*words: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*words), capture_output=True, text=True, check=False, timeout=PATIENCE,
        env=ENVIRONMENT, **options,
    )  # fmt: skip


def said(done: subprocess.CompletedProcess[str]) -> str:
    """What Serial said: it comes before the table."""
    assert done.returncode == 0, done.stderr
    return done.stdout.partition("\necho on ")[0].partition("echo on ")[0].rstrip("\n")


@one_in(2)
@pytest.mark.parametrize("board", ["sim", "uno"])
def test_a_pipe_goes_to_serial_from_its_begin_on_and_repeats(
    sketch: Path, tmp_path: Path, board: str
) -> None:
    reports = []
    for name in ("one", "two"):
        file = tmp_path / f"{name}.json"
        done = run(sketch, "--board", board, "--for", "200ms", "--json", file, input="ping\n")
        assert said(done) == "ping"
        reports.append(file.read_bytes())
    assert reports[0] == reports[1]
    assert load_report(file)["serial"][0]["bytes_received"] == 5


def test_each_byte_comes_at_the_rate_of_the_port(sketch: Path, tmp_path: Path) -> None:
    """At 9,600 baud 20 bytes take 20.8 ms: in 15 ms of board time some have not come yet."""
    text = "0123456789abcdefghij"
    assert said(run(sketch, "--for", "200ms", input=text)) == text
    short = said(run(sketch, "--for", "15ms", input=text))
    assert text.startswith(short) and 5 < len(short) < 16


@long_form
def test_a_file_is_sent_as_it_is(sketch: Path, tmp_path: Path) -> None:
    file = tmp_path / "für Serial"
    file.write_bytes(b"one\ntwo\n")
    assert said(run(sketch, "--for", "200ms", "--input", file)) == "one\ntwo"
    with file.open() as opened:
        assert said(run(sketch, "--for", "200ms", "--input", "-", stdin=opened)) == "one\ntwo"


@long_form
def test_a_file_at_standard_input_is_left_alone(sketch: Path, tmp_path: Path) -> None:
    """It may be the list of a loop in a shell: the next line is still there for it."""
    names = tmp_path / "names"
    names.write_text("first\nsecond\n", encoding="utf-8")
    words = " ".join(command("'$1'", "--for", "5ms")).replace("'$1'", '"$1"')
    script = f'while read -r name; do {words} > /dev/null; echo "$name"; done'
    with names.open() as opened:
        done = subprocess.run(
            ["sh", "-c", script, "sh", str(sketch)], stdin=opened, capture_output=True, text=True,
            check=True, timeout=PATIENCE, env=ENVIRONMENT,
        )  # fmt: skip
    assert done.stdout == "first\nsecond\n"


@long_form
def test_a_pipe_in_which_nothing_comes_holds_nobody_up(sketch: Path) -> None:
    here, there = os.pipe()
    try:
        assert said(run(sketch, "--for", "5ms", stdin=here)) == ""
        os.write(there, b"some")
        done = run(sketch, "--for", "50ms", stdin=here)
        assert said(done) == "some"
        assert "stays open: its first 4 bytes" in done.stderr
    finally:
        os.close(here)
        os.close(there)


@long_form
def test_no_standard_input_is_none(sketch: Path) -> None:
    assert said(run(sketch, "--for", "5ms", stdin=subprocess.DEVNULL)) == ""
    words = " ".join(command('"$1"', "--for", "5ms"))
    done = subprocess.run(
        ["sh", "-c", f"{words} <&-", "sh", str(sketch)], capture_output=True, text=True, check=False,
        timeout=PATIENCE, env=ENVIRONMENT,
    )  # fmt: skip
    assert said(done) == ""


@one_in(2)
@pytest.mark.parametrize("board", ["sim", "uno"])
def test_keys_that_are_typed_go_to_serial(sketch: Path, board: str) -> None:
    terminal, keys = pty.openpty()
    words = command(sketch, "--board", board, "--live", "--for", "60s", "--expect-text", "key")
    with subprocess.Popen(
        words, stdin=keys, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        os.close(keys)
        assert process.stderr is not None and process.stdout is not None
        for line in process.stderr:
            if b"starting" in line:
                break
        os.write(terminal, b"key")
        output, _ = process.communicate(timeout=PATIENCE)
    os.close(terminal)
    assert process.returncode == 0
    assert output.startswith(b"key")


def test_what_comes_later_is_sent_live(sketch: Path) -> None:
    words = command(sketch, "--live", "--for", "60s", "--expect-text", "late")
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b"first ")
        process.stdin.flush()
        assert process.stdout.read(6) == b"first "
        process.stdin.write(b"late")
        process.stdin.close()
        assert process.stdout.read(4) == b"late"
        process.stdout.read()
        assert process.wait(PATIENCE) == 0


@one_in(3)
@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--input", "nix.txt"], "nix.txt cannot be read"),
        (["--input", "."], "cannot be read"),
        (["--live", "--input", "x"], "do not go together"),
        (["--live", "--board", "virt"], "--live is not for the board virt"),
        (["--touches", "nix.jsonl"], "nix.jsonl cannot be read"),
        (["--live", "--watch"], "--watch does not go with"),
    ],
)
def test_what_cannot_be_is_said(sketch: Path, tmp_path: Path, words: list[str], text: str) -> None:
    done = run(sketch, "--for", "5ms", *words, cwd=tmp_path, stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert text in apart(done.stderr)[0] and "next:" in done.stderr


@one_in(4)
@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ('{"is": "touches", "board": "sim", "cores": 1, "seed": 7}', "--seed 7"),
        ('{"is": "touches", "board": "uno", "cores": 1, "seed": 1}', "--board uno"),
        ('{"at": 1, "do": "end"}', "no file of touches"),
        ("rubbish", "no file of touches"),
        ("[" * 90_000, "no file of touches"),
        ('{"is": "touches", "version": 2, "board": "sim"}', "of version 2"),
        ('{"is": "touches", "version": 1}\n{"at": 1, "do": "\udcff"}', "line 2 of the touches"),
    ],
)
def test_touches_of_another_run_are_refused(
    sketch: Path, tmp_path: Path, heading: str, text: str
) -> None:
    file = tmp_path / "touches.jsonl"
    file.write_text(heading + "\n", encoding="utf-8", errors="surrogateescape")
    done = run(sketch, "--touches", file, stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert text in done.stderr
