"""What happens at the edges of the command line: outputs that are closed, full or somebody else's, and
words that are nearly right. Never a traceback; always the sentence that helps."""

from __future__ import annotations

import errno
import json
import os
import pty
import subprocess
from pathlib import Path

import pytest
from tests.campaign import in_turn, long_form, one_in
from tests.commands import ENTRY, ROOT, run_entry, run_hocket

from hocket.commands.new import new_command
from hocket.errors import HocketError

BLINK = ROOT / "examples" / "blink"


def shell(text: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What bash makes of a line; its status is that of the first command of a pipe."""
    return subprocess.run(
        ["bash", "-c", f"{text}\nexit ${{PIPESTATUS[0]}}"],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


# --- Standard output ---


def test_a_reader_that_has_seen_enough() -> None:
    done = shell(f"{ENTRY} run examples/three-loops --for 100h | head -n 1")
    assert (done.returncode, len(done.stdout.splitlines())) == (141, 1)
    assert "Traceback" not in done.stderr
    done = shell(f"{ENTRY} bench --list | head -n 1")
    assert done.returncode in (0, 141)  # it may be through before the reader goes
    assert done.stderr == ""


@one_in(2)
@pytest.mark.parametrize("words", ["boards", "run examples/blink --for 1s", "bench --list"])
def test_a_closed_standard_output(words: str) -> None:
    done = shell(f"{ENTRY} {words} >&-")
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


@one_in(2)
@pytest.mark.parametrize("words", ["boards", "run examples/blink --for 1s"])
def test_a_full_standard_output(words: str) -> None:
    done = shell(f"{ENTRY} {words} >/dev/full")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-3:] == [
        "hocket: standard output cannot be written",
        "  cause: No space left on device",
        "  next:  free some space, then do it again",
    ]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a report and an event log of a run."""
    folder = tmp_path_factory.mktemp("made")
    done = run_hocket(
        *("run", BLINK, "--for", "1s", "--json", folder / "r.json"),
        *("--trace", folder / "l.hklog"),
    )
    assert done.returncode == 0, done.stderr
    return folder


EVERY_COMMAND = [
    *("--help", "--version", "run --help", "boards", "doctor", "bench --list", "self-test --list"),
    *("check BLINK", "check BLINK --json -", "build BLINK", "run BLINK --for 1s --json -"),
    *("report r.json", "trace l.hklog", "sweep BLINK --seeds 1 --for 1s", "try BLINK --board sim"),
    *("try BLINK --board sim --json -", "new sketch"),
]


@one_in(10)
@pytest.mark.parametrize("words", EVERY_COMMAND)
def test_every_command_at_an_output_that_is_closed_full_or_left(made: Path, words: str) -> None:
    line = f"cd {made} && {ENTRY} {words.replace('BLINK', str(BLINK))}"
    if words.startswith("new"):
        line = line.replace("new sketch", 'new "s$$"')
    closed = shell(f"{line} >&-")
    assert (closed.returncode, "Traceback" in closed.stderr) == (0, False), closed.stderr
    full = shell(f"{line} >/dev/full")
    assert full.returncode == 2
    assert "hocket: standard output cannot be written\n  cause: No space left" in full.stderr
    left = shell(f"{line} | true")
    assert left.returncode in (0, 141)
    assert "hocket: standard" not in left.stderr and "Traceback" not in left.stderr


@one_in(3)
@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "utf-8"])
def test_a_terminal_that_does_not_know_each_character(made: Path, encoding: str) -> None:
    done = run_entry("report", made / "r.json", environment={"PYTHONIOENCODING": encoding})
    assert (done.returncode, done.stderr) == (0, "")
    assert "ran to the end of its time" in done.stdout


@one_in(3)
@pytest.mark.parametrize("option", ["--json", "--trace", "--vcd"])
def test_a_full_disk(option: str) -> None:
    done = run_hocket("run", BLINK, "--for", "1s", option, "/dev/full")
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert "\n  next:  " in done.stderr


def test_a_new_sketch_on_a_full_disk_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(HocketError, match="cannot be written") as caught:
        new_command(str(tmp_path / "blinker"), 2)
    assert caught.value.next_step == "free some space, then do it again"
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_is_too_long_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(HocketError, match="300 characters is too long") as caught:
        new_command(str(tmp_path / ("x" * 300)), 2)
    assert caught.value.cause == "a name has up to 63"
    assert list(tmp_path.iterdir()) == []


def test_who_is_watched_does_the_same(tmp_path: Path) -> None:
    """No figure depends on the log, the waves, or a text that is looked for: not even a stack's."""
    reports = []
    watching: tuple[list[str], ...] = (
        [],
        ["--trace", f"{tmp_path}/l.hklog"],
        ["--vcd", f"{tmp_path}/p.vcd"],
        ["--fail-text", "what is never sent"],
    )
    for more in watching:
        done = run_hocket("run", "examples/rover", "--for", "2s", "--json", "-", *more)
        assert done.returncode == 0, done.stderr
        reports.append(json.loads(done.stdout)["loops"])
    assert all(report == reports[0] for report in reports[1:])


@one_in(2)
@pytest.mark.parametrize("command", ["run", "check"])
def test_a_report_on_standard_output(command: str) -> None:
    words = [command, "examples/rover", "--json", "-"]
    done = run_hocket(*words, *(["--for", "1s"] if command == "run" else []))
    assert done.returncode == 0
    report = json.loads(done.stdout)
    assert report["sketch"] == "rover"
    assert "rover on sim" in done.stderr  # the table, and what Serial sent


@long_form
def test_other_outputs_want_a_file() -> None:
    done = run_hocket("run", BLINK, "--vcd", "-")
    assert (done.returncode, done.stderr.splitlines()[1]) == (
        2,
        "  cause: only --json can be written to standard output",
    )
    done = run_hocket("run", BLINK, "--trace", "")
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, "hocket: --trace names no file")


@one_in(2)
@pytest.mark.parametrize(("columns", "width"), [(80, 80), (60, 80), (200, 200)])
def test_a_table_in_a_terminal(columns: int, width: int) -> None:
    """No line is longer than the terminal, and no digit is cut."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [ENTRY, "run", "examples/rover", "--for", "2s"],
        cwd=ROOT,
        env=os.environ | {"COLUMNS": str(columns), "TERM": "dumb"},
        stdout=follower,
        stderr=subprocess.DEVNULL,
    ) as process:
        os.close(follower)
        text = b""
        while True:
            try:
                chunk = os.read(leader, 4096)
            except OSError:  # the other end is closed
                break
            if not chunk:
                break
            text += chunk
    os.close(leader)
    assert process.returncode == 0
    lines = text.decode().replace("\r", "").splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("loop "))
    assert max(len(line) for line in lines[head : head + 4]) <= width
    assert "ms (90.145 ms)" in lines[head + 2]
    assert ("stack" in lines[head]) == (columns == 200)
    assert any("a wider terminal shows" in line for line in lines) == (columns != 200)


# --- Words that are nearly right ---


SENTENCES = [
    ("run examples/blink --for 0", "hocket: --for '0' is zero"),
    ("run examples/blink --cores two", "hocket: --cores takes a whole number, not 'two'"),
    ("run examples/blink --cores=1.5", "hocket: --cores takes a whole number, not '1.5'"),
    ("run examples/blink --scenario /tmp", "hocket: /tmp is a folder, not a scenario"),
    ("run rover", "did you mean examples/rover?"),
    ("run examples/roverr", "did you mean examples/rover?"),
    ("run docss", "did you mean docs?"),
    ("run examples", "name one of the sketches in it: examples/"),
    ("build examples/blink --board uno -o x.bin", "name FILE.hex or FILE.elf"),
    ("new 'mein Förster'", "hocket new mein-Foerster"),
    ("new 'a b'", "hocket new a-b"),
    ("new ' '", "choose another name"),
    ("run ''", "hocket: the sketch's name is empty"),
    ("run /", "hocket: / holds no sketch"),
    ("run /dev/null", "it is a device, not a file"),
    ("run $'\\xff'", "some of its bytes are not UTF-8"),
    ("run $'a\\nb'", "it contains a line break"),
    ("check examples/blink --json ''", "hocket: --json names no file"),
    ("check examples/blink --json /", "that is a folder"),
    ("build examples/blink -o ''", "hocket: -o names no file"),
    ("build examples/blink -o /nowhere/x", "there is no folder /nowhere"),
    ("bench rover --seed -1", "hocket: --seed -1 is out of range"),
    ("sweep examples/blink --cores 99", "hocket: --cores 99 is out of range"),
    ("try ''", "hocket: there is no file or folder without a name"),
    ("flash examples/blink", "add --board uno or --board nano or --board mega or --board rpi3"),
    ("report examples", "name a file, not a folder"),
    ("trace nowhere.hklog", "next:  name one that exists"),
]


@in_turn(2)
@pytest.mark.parametrize(("words", "said"), SENTENCES)
def test_the_sentence_that_helps(words: str, said: str) -> None:
    split = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {words}"], capture_output=True, check=True
    )
    done = run_hocket(*map(os.fsdecode, split.stdout.split(b"\0")[:-1]))
    assert done.returncode == 2
    assert said in done.stderr


@one_in(9)
@pytest.mark.parametrize(("words", "said"), SENTENCES)
@pytest.mark.parametrize("locale", ["C.UTF-8", "POSIX"])
def test_the_sentence_that_helps_from_a_shell(words: str, said: str, locale: str) -> None:
    done = shell(f"{ENTRY} {words}", LC_ALL=locale)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


# --- Words that a shell completes ---


@one_in(3)
@pytest.mark.parametrize(
    ("words", "number", "offered"),
    [("hocket mon", 1, "monitor"), ("hocket run --po", 2, "--policy"), ("hocket cle", 1, "clean")],
)
def test_completion_in_bash(words: str, number: int, offered: str) -> None:
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(number), "_HOCKET_COMPLETE": "complete_bash"}
    done = run_entry(environment=asked)
    assert (done.stdout.split(), done.stderr) == (
        [offered],
        "",
    )  # its status says nothing to a shell
