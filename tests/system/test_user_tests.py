"""`hocket test` of sketches, and `--watch`, as their users meet them."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.commands import ENTRY, run_hocket

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FAILING = "examples/button-light/slow.test.yaml"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with two of the examples, one with a test that fails and one that is none."""
    for name in ("button-light", "ping-pong"):
        shutil.copytree(EXAMPLES / name, tmp_path / "examples" / name)
    text = (EXAMPLES / "button-light" / "scenario.yaml").read_text()
    (tmp_path / FAILING).write_text(text.replace("by: 1.02 s", "by: 1.000001 s"))
    return tmp_path


def test_tests_of_a_folder(project: Path) -> None:
    junit = project / "junit.xml"
    done = run_hocket("test", "examples", "--jobs", "2", "--junit", junit, cwd=project)
    assert done.returncode == 1
    first, failed, why, last, counts, again = done.stdout.splitlines()
    assert first == "ok      examples/button-light/scenario.yaml on sim  3 expectations"
    assert failed == f"FAILED  {FAILING} on sim"
    assert why.startswith(
        f"        {FAILING}:7: lamp was to be lit by 1.000001 s; it was dark until 1.00"
    )
    assert last == "ok      examples/ping-pong/scenario.yaml on sim  2 expectations"
    assert counts == "3 tests: 2 passed, 1 failed"
    assert again == f"again: hocket test {FAILING} --board sim"
    (suite,) = ET.parse(junit).getroot()
    assert [case.get("name") for case in suite] == [
        *("scenario.yaml on sim", "slow.test.yaml on sim", "scenario.yaml on sim")
    ]
    assert [case.find("failure") is not None for case in suite] == [False, True, False]
    pong = suite[2].find("system-out")
    assert pong is not None and pong.text is not None and pong.text.startswith("pong\npong\n")


@long_form
def test_on_several_boards_and_on_github(project: Path) -> None:
    options = ["--board", "sim", "--board", "uno", "--jobs", "2"]
    environment = {"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(project)}
    done = run_hocket(
        "test", "examples/button-light", *options, cwd=project, environment=environment
    )
    assert done.returncode == 1
    verdicts = [line for line in done.stdout.splitlines() if line.startswith(("ok", "FAILED"))]
    assert [line.partition("  ")[0].rstrip() for line in verdicts] == [
        "ok",
        "ok",
        "FAILED",
        "FAILED",
    ]
    notes = [line for line in done.stdout.splitlines() if line.startswith("::error ")]
    assert len(notes) == 2
    assert notes[0].startswith(
        f"::error file={FAILING},line=7,title={FAILING} on sim::lamp was to be lit by 1.000001 s; "
    )


@long_form
def test_what_cannot_be_run_is_told_beside_what_can(project: Path) -> None:
    (project / FAILING).write_text("parts: {}\nexpect:\n  - {mises: 0}\n")
    (project / "examples/button-light/idle.test.yaml").write_text("for: 1 ms\nparts: {}\n")
    done = run_hocket("test", "examples/button-light", cwd=project)
    assert done.returncode == 2
    lines = done.stdout.splitlines()
    assert lines[:5] == [
        "ok      examples/button-light/scenario.yaml on sim  3 expectations",
        "ERROR   examples/button-light/idle.test.yaml on sim",
        "        this scenario expects nothing",
        "          next:  add expect: or never: (docs/guide/testing.md)",
        f"ERROR   {FAILING} on sim",
    ]
    assert "mises here: did you mean misses?" in lines[5]
    assert "3 tests: 1 passed, 2 could not be run" in lines


@long_form
def test_a_refused_or_faulty_sketch_fails(project: Path) -> None:
    sketch = project / "examples/button-light/button-light.ino"
    (project / FAILING).unlink()
    good = sketch.read_text()
    sketch.write_text(good.replace("1ms, 10ms", "10ms, 10ms"))
    done = run_hocket("test", "examples/button-light", cwd=project)
    assert done.returncode == 1
    assert "FAILED" in done.stdout and "refused: " in done.stdout
    sketch.write_text(good.replace("delay(10);", "delay(10); abort();"))
    done = run_hocket("test", "examples/button-light", cwd=project)
    assert done.returncode == 1
    sketch.write_text(good.replace("delay(10);", "dealy(10);"))
    done = run_hocket("test", "examples/button-light", cwd=project)
    assert done.returncode == 2
    assert "ERROR" in done.stdout and "dealy" in done.stdout


@long_form
def test_the_same_outcomes_with_one_job_and_with_four(project: Path) -> None:
    one = run_hocket("test", "examples", "--jobs", "1", "--seed", "7", cwd=project)
    four = run_hocket("test", "examples", "--jobs", "4", "--seed", "7", cwd=project)
    assert one.stdout == four.stdout


def start(*words: str, cwd: Path) -> subprocess.Popen[str]:
    """The command in the foreground of nobody, who has it listen to Ctrl-C."""
    return subprocess.Popen(
        [str(ENTRY), *words],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def read_until(process: subprocess.Popen[str], text: str) -> str:
    assert process.stdout is not None
    read = ""
    for line in process.stdout:
        read += line
        if text in line:
            return read
    raise AssertionError(read)


def test_ctrl_c_ends_tests(project: Path) -> None:
    scenario = project / "examples/button-light/scenario.yaml"
    scenario.write_text(scenario.read_text().replace("for: 2 s", "for: 100000 min"))
    with start("test", "examples", "--jobs", "1", cwd=project) as process:
        (project / FAILING).unlink()
        process_id = _child_that_runs(process)
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        assert "hocket: interrupted" in process.stdout.read()
    assert process.returncode == 130
    assert not Path(f"/proc/{process_id}").exists()


def _child_that_runs(process: subprocess.Popen[str]) -> int:
    """The number of the command's own child that is `hocket run`, once it is there."""
    while process.poll() is None:
        for task in Path(f"/proc/{process.pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                with contextlib.suppress(OSError):
                    if b"\0run\0" in Path(f"/proc/{child}/cmdline").read_bytes():
                        return int(child)
    raise AssertionError("it ended")


@one_in(2)
@pytest.mark.parametrize("command", ["run", "test"])
def test_watching(project: Path, command: str) -> None:
    (project / FAILING).unlink()
    sketch = project / "examples/button-light/button-light.ino"
    good = sketch.read_text()
    met, unmet = {
        "run": ("all 3 expectations met", "2 of 3 expectations not met"),
        "test": ("1 test: 1 passed", "1 test: 1 failed"),
    }[command]
    with start(command, "examples/button-light", "--watch", cwd=project) as process:
        assert met in read_until(process, "waiting for a change")
        sketch.write_text(good.replace("== LOW", "== HIGH"))
        said = read_until(process, "waiting for a change")
        assert "hocket: changed: button-light.ino\n" in said
        assert "lamp was to be dark until 1 s; it was lit" in said
        assert unmet in said or "3 of 3" in said
        sketch.write_text(good + "?")
        assert "error" in read_until(process, "waiting for a change")
        sketch.write_text(good)
        assert met in read_until(process, "waiting for a change")
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        process.stdout.read()
    assert process.returncode == 130


def test_without_a_name_it_tests_the_current_folder(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "mine.ino").write_text(
        "void setup() { Serial.begin(9600); Serial.println(7); }\nvoid loop() {}\n"
    )
    done = run_hocket("test", cwd=folder)
    assert done.returncode == 2
    assert done.stderr.startswith("hocket: there are no tests in .\n")
    (folder / "scenario.yaml").write_text("for: 10ms\nexpect:\n  - serial: '7'\n")
    done = run_hocket("test", cwd=folder)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 test: 1 passed"), done


def test_the_steps_of_the_own_suite_are_listed_from_anywhere(tmp_path: Path) -> None:
    assert run_hocket("self-test", "--list", cwd=tmp_path).stdout.startswith("format-cpp")


@pytest.mark.parametrize("loops", [1, 2])
def test_a_new_sketch_passes_its_test(tmp_path: Path, loops: int) -> None:
    """In its own folder, without a word more: and the test is one that a change of the sketch fails."""
    assert run_hocket("new", "first", "--loops", str(loops), cwd=tmp_path).returncode == 0
    done = run_hocket("test", cwd=tmp_path / "first")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 test: 1 passed"), done.stdout
    if loops == 1:
        return
    sketch = tmp_path / "first" / "first.ino"
    sketch.write_text(sketch.read_text().replace("LED_BUILTIN, HIGH", "LED_BUILTIN, LOW"))
    done = run_hocket("test", cwd=tmp_path / "first")
    assert done.returncode == 1 and "lamp was to be lit at 250 ms" in done.stdout
