"""`--coverage` of `hocket run` and `hocket test`: which lines ran, and that the run stays the same."""

from __future__ import annotations

import re
import signal
import subprocess
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.commands import ENTRY, PATIENCE, Done, run_hocket

ROOT = Path(__file__).resolve().parents[2]
# At the end of a line: whether it has run; of the others nothing is asked.
SKETCH = """\
#include "helper.h"
volatile int wanted = 3;
void setup() {
  Serial.begin(115200);  // yes
}
void loop(1, 5, 100) {  // yes
  static int rounds = 0;
  if (++rounds > wanted) {  // yes
    Serial.println("often");  // no
  } else {
    Serial.println(rounds);  // yes
  }
  for (int i = 0; i < wanted; i++) {  // yes
    if (i == 7) Serial.println("never"); // only the question
    analogWrite(9, helped(i));  // yes
  }
  delay(400);  // yes
}
void periodic(2, 1ms, 20ms, 5ms) {  // yes
  digitalWrite(13, rarely());  // yes
}
int rarely() {
  if (wanted == 3) return 1;  // yes
  Serial.println("rarely");  // no
  return 0;
}
void neverCalled() {  // no
  Serial.println("no");  // no
}
"""
HELPER = """\
#include "helper.h"
#include <Arduino.h>
int helped(int i) {  // yes
  if (i > 100) {  // yes
    Serial.println("large");  // no
    return 0;
  }
  return i * 3 + 1;  // yes
}
"""


@pytest.fixture
def sketch(tmp_path: Path) -> Path:
    folder = tmp_path / "two words ü" / "covered"
    folder.mkdir(parents=True)
    (folder / "covered.ino").write_text(SKETCH)
    (folder / "helper.cpp").write_text(HELPER)
    (folder / "helper.h").write_text("#pragma once\nint helped(int i);\n")
    return folder


def covered(folder: Path) -> dict[str, dict[int, int]]:
    """The lines of lcov.info by the file's name."""
    found: dict[str, dict[int, int]] = {}
    for line in (folder / "lcov.info").read_text("utf-8").splitlines():
        if line.startswith("SF:"):
            lines = found.setdefault(Path(line[3:]).name, {})
        elif line.startswith("DA:"):
            number, times, checksum = line[3:].split(",")
            assert re.fullmatch("[0-9a-f]{32}", checksum)
            lines[int(number)] = int(times)
    return found


def wanted(text: str) -> dict[int, bool]:
    marks = {n: re.search("// (yes|no)$", line) for n, line in enumerate(text.splitlines(), 1)}
    return {n: mark[1] == "yes" for n, mark in marks.items() if mark}


def check(found: dict[str, dict[int, int]]) -> None:
    for name, text in (("covered.ino", SKETCH), ("helper.cpp", HELPER)):
        seen = {line: bool(found[name][line]) for line in wanted(text) if line in found[name]}
        assert seen == wanted(text), name


def without_coverage(done: Done) -> str:
    return done.stdout.partition("\nfile ")[0].rstrip()


@long_form
def test_the_lines_that_ran_and_the_same_run(sketch: Path, tmp_path: Path) -> None:
    words: list[str | Path] = ["run", sketch, "--for", "1s"]
    plain = run_hocket(*words, "--json", "a.json", cwd=tmp_path)
    done = run_hocket(*words, "--json", "b.json", "--coverage", cwd=tmp_path)
    assert (plain.returncode, done.returncode) == (0, 0)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert without_coverage(done) == plain.stdout.rstrip()
    check(covered(tmp_path / "coverage"))
    assert re.search(r"covered\.ino +\d+ +\d+ +\d+\.\d\n", done.stdout)
    assert re.search(r"\nall +\d+ +\d+ +\d+\.\d\n", done.stdout)
    page = (tmp_path / "coverage" / "index.html").read_text("utf-8")
    assert "neverCalled" in page, "with the sketch's text"
    assert not re.search(r'(?:src|href)="(?:https?:)?//(?!gcovr)', page), "it loads nothing"


@one_in(4)
@pytest.mark.parametrize("example", ["rover", "three-loops", "sonar-interrupt", "ping-pong"])
def test_reports_are_the_same_to_the_byte(example: str, tmp_path: Path) -> None:
    words: list[str | Path] = ["run", ROOT / "examples" / example, "--for", "2s", "--json"]
    run_hocket(*words, "a.json", cwd=tmp_path)
    run_hocket(*words, "b.json", "--coverage", cwd=tmp_path)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


@long_form
def test_too_few_lines_fail_a_run_that_was_well(sketch: Path, tmp_path: Path) -> None:
    done = run_hocket("run", sketch, "--for", "1s", "--coverage-min", "95", cwd=tmp_path)
    assert done.returncode == 1
    assert re.search(r"coverage is \d+\.\d %, less than the 95 % of --coverage-min", done.stderr)
    words: list[str | Path] = [
        "run",
        sketch,
        "--for",
        "1s",
        "--coverage-min",
        "95",
        "--expect-text",
        "no such text",
    ]
    assert run_hocket(*words, cwd=tmp_path).returncode == 42, "what went wrong first stays"
    words = [
        "run",
        sketch,
        "--for",
        "1s",
        "--coverage-min",
        "10",
        "--coverage-to",
        "a/b",
    ]
    assert run_hocket(*words, cwd=tmp_path).returncode == 0
    check(covered(tmp_path / "a" / "b"))


def test_a_run_that_ends_by_a_fault_has_its_lines(tmp_path: Path) -> None:
    folder = tmp_path / "crash"
    folder.mkdir()
    text = (
        "void setup() {}\nvoid loop(1, 5, 50) {\n  delay(20);  // yes\n  *(volatile int *)16 = 1;  // yes\n"
        "  delay(30);\n  Serial.println(1);\n}\n"
    )
    (folder / "crash.ino").write_text(text)
    done = run_hocket("run", folder, "--for", "1s", "--coverage", cwd=tmp_path)
    assert done.returncode == 1
    found = covered(tmp_path / "coverage")["crash.ino"]
    assert (found[3], found[4]) == (1, 1)


def test_of_a_refused_sketch_nothing_ran(tmp_path: Path) -> None:
    done = run_hocket("run", ROOT / "examples/too-much", "--coverage", cwd=tmp_path)
    assert done.returncode == 3
    assert "refused: loop 2 asks for 60 ms" in done.stderr
    assert set(covered(tmp_path / "coverage")["too-much.ino"].values()) == {0}


@long_form
def test_tests_count_the_lines_of_all_scenarios_together(sketch: Path, tmp_path: Path) -> None:
    scenarios = sketch / "scenarios"
    scenarios.mkdir()
    for name, time in (("short", "300 ms"), ("long", "3 s")):
        (scenarios / f"{name}.yaml").write_text(
            f'for: {time}\nparts: {{lamp: {{type: led, pin: 9}}}}\nexpect:\n  - {{serial: "1", by: 200 ms}}\n'
        )
    done = run_hocket("test", sketch, "--coverage", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    found = covered(tmp_path / "coverage")["covered.ino"]
    assert (found[9], found[11], found[28]) == (1, 2, 0), "only the long one comes so far"
    assert "2 tests: 2 passed" in done.stdout
    assert run_hocket("test", sketch, "--coverage-min", "99", cwd=tmp_path).returncode == 1


def test_other_boards_say_that_they_cannot(sketch: Path) -> None:
    done = run_hocket("run", sketch, "--board", "uno", "--coverage")
    assert done.returncode == 2
    assert "--coverage is not for the board uno" in done.stderr


@long_form
def test_an_interrupted_run_has_its_lines_and_its_page(sketch: Path, tmp_path: Path) -> None:
    words: list[str | Path] = ["run", sketch, "--for", "10h", "--coverage", "--html", "page.html"]
    command: list[str | Path] = [ENTRY, *words, "--serial-limit", "999999999"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline()  # it runs
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    found = covered(tmp_path / "coverage")["covered.ino"]
    assert (found[4], found[11]) == (1, 1)
    assert "Interrupted." in (tmp_path / "page.html").read_text("utf-8")


def test_a_sketch_that_does_not_compile_is_an_error(tmp_path: Path) -> None:
    """It has no coverage: no page of nothing is written, and no sum says that all is well."""
    for name, body in (("bad", "nonsense();"), ("good", "delay(10);")):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.ino").write_text(
            f"void setup() {{}}\nvoid loop() {{ {body} }}\n"
        )
        (tmp_path / name / "scenario.yaml").write_text("for: 100 ms\nexpect:\n  - {misses: 0}\n")
    done = run_hocket("test", "bad", "--coverage", cwd=tmp_path)
    assert done.returncode == 2
    assert "hocket: there is no coverage of bad; nothing was written to coverage\n" in done.stderr
    assert "  next:  mend what is said above" in done.stderr
    assert not (tmp_path / "coverage").exists()
    done = run_hocket("test", "bad", "good", "--coverage", cwd=tmp_path)
    assert done.returncode == 2 and "hocket: there is no coverage of bad\n" in done.stderr
    assert re.search(r"^all +2 +2 +–$", done.stdout, re.MULTILINE)
    assert (tmp_path / "coverage/index.html").is_file()
