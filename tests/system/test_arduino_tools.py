"""Debian's arduino-builder and Arduino IDE 1.8 build a sketch for Hocket's boards, without a display.

The sketch has two tabs, two loops, a function that is used before it is defined, a library of the sketchbook
and one of the box. Packages: tools/packages.txt, group test.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.campaign import long_form
from tests.commands import PATIENCE, Done, apart, run_hocket

PROPERTIES = (
    "name=Twice\nversion=1.0.0\nauthor=Ada\nmaintainer=Ada\nsentence=Twice.\nparagraph=\n"
    "category=Other\nurl=\narchitectures=*\n"
)
FILES = {
    "libraries/Twice/library.properties": PROPERTIES,
    "libraries/Twice/src/Twice.h": "#pragma once\nint twice(int value);\n",
    "libraries/Twice/src/Twice.cpp": '#include "Twice.h"\nint twice(int value) { return 2 * value; }\n',
    "duo/duo.ino": (
        "#include <Servo.h>\n#include <Twice.h>\nServo arm;\n"
        "void setup() { Serial.begin(115200); arm.attach(9); show(1000); }\n"
        "void loop(1, 10, 100) { static int rounds; show(twice(++rounds)); delay(100); }\n"
        "void loop(2, 20, 100) { arm.write(angle(millis())); delay(40); }\n"
        "void show(int value) { Serial.println(value); }\n"
    ),
    "duo/more.ino": "int angle(unsigned long time) { return time / 10 % 180; }\n",
}
HARDWARE = "/usr/share/arduino/hardware"


@pytest.fixture
def sketchbook(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert run_hocket("arduino", "install", tmp_path).returncode == 0
    return tmp_path


def called(words: list[str | Path], home: Path) -> Done:
    """The IDE keeps what it knows in the user's home, which it asks Java for."""
    done = subprocess.run(
        [str(word) for word in words],
        env={
            "PATH": "/usr/bin:/bin",
            "HOME": str(home),
            "JAVA_TOOL_OPTIONS": f"-Duser.home={home}",
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    said, progress = apart(done.stderr)
    return Done(done.returncode, done.stdout, said, progress)


def built(sketchbook: Path, board: str, name: str = "duo") -> Done:
    """By arduino-builder, in the sketchbook's folder `out`."""
    (sketchbook / "out").mkdir(exist_ok=True)
    words: list[str | Path] = ["arduino-builder", "-compile", "-fqbn", board]
    words += ["-hardware", HARDWARE, "-hardware", sketchbook / "hardware"]
    words += ["-tools", f"{HARDWARE}/tools/avr", "-libraries", sketchbook / "libraries"]
    words += ["-build-path", sketchbook / "out", sketchbook / name / f"{name}.ino"]
    return called(words, sketchbook)


def sketch(sketchbook: Path, name: str, text: str) -> Path:
    file = sketchbook / name / f"{name}.ino"
    file.parent.mkdir()
    file.write_text(text)
    return file


def test_the_builders_hex_is_that_of_hocket_build(sketchbook: Path) -> None:
    done = built(sketchbook, "hocket:avr:uno")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    flash = re.search(r"Sketch uses (\d+) bytes .* Maximum is 32256 bytes", done.stdout)
    assert flash and 4000 < int(flash[1]) < 20_000
    memory = re.search(r"Global variables use (\d+) bytes .* Maximum is 2048 bytes", done.stdout)
    assert memory and 200 < int(memory[1]) < 2048
    own = sketchbook / "own.hex"
    assert run_hocket("build", sketchbook / "duo", "--board", "uno", "-o", own).returncode == 0
    assert (sketchbook / "out" / "duo.ino.hex").read_bytes() == own.read_bytes()


@long_form
def test_the_simulated_board_runs_what_the_builder_built(sketchbook: Path) -> None:
    done = built(sketchbook, "hocket:host:sim")
    assert done.returncode == 0, done.stderr
    # An editor's text may be newer than its file.
    merged = sketchbook / "out" / "sketch" / "duo.ino.cpp"
    upload = ("arduino", "upload", "--folder", sketchbook / "out", "--for", "250ms")
    assert run_hocket(*upload).stdout.startswith("1000\n2\n4\n6\nduo on sim: 1 core, 250 ms")
    merged.write_text(merged.read_text().replace("show(1000)", "show(2000)"))
    assert run_hocket(*upload).stdout.startswith("2000\n2\n4\n6\nduo on sim")


@long_form
def test_errors_point_into_the_sketch(sketchbook: Path) -> None:
    wrong = sketch(
        sketchbook, "wrong", "void setup() {}\nvoid loop(1, 10, 100) {\n  nothing();\n}\n"
    )
    done = built(sketchbook, "hocket:host:sim", "wrong")
    assert done.returncode != 0
    assert f"{wrong}:3:3: error: use of undeclared identifier 'nothing'" in done.stderr
    gone = sketch(sketchbook, "gone", "#include <Gone.h>\nvoid setup() {}\nvoid loop() {}\n")
    done = built(sketchbook, "hocket:host:sim", "gone")
    assert done.returncode != 0
    assert done.stderr.startswith(f"{gone}:1:10: fatal error: 'Gone.h' file not found")


@long_form
def test_budgets_are_refused_with_the_same_reason(sketchbook: Path) -> None:
    text = "void setup() {}\nvoid loop(1, 70, 100) {}\nvoid loop(2, 60, 100) {}\n"
    much = sketch(sketchbook, "much", text)
    done = built(sketchbook, "hocket:host:sim", "much")
    assert done.returncode != 0
    reason = run_hocket("check", much).stderr.splitlines()[0].removeprefix("hocket: ")
    assert reason.startswith("refused: loop 2 asks for 60 ms in every 100 ms")
    assert done.stderr.startswith(f"{much}:3:1: error: {reason}")


@long_form
def test_the_ide_uploads_without_a_display(sketchbook: Path) -> None:
    words: list[str | Path] = ["arduino", "--upload", "--board", "hocket:host:sim:cores=2,time=10s"]
    words += ["--pref", f"sketchbook.path={sketchbook}", sketchbook / "duo" / "duo.ino"]
    done = called(words, sketchbook)
    assert done.returncode == 0, done.stderr
    numbers = [line for line in done.stderr.splitlines() if line.isdigit()]
    assert numbers[:4] == ["1000", "2", "4", "6"]  # where all goes that it shows
    assert "duo on sim: 2 cores, 10 s of virtual time" in done.stderr


@long_form
def test_the_ide_verifies_without_a_display(sketchbook: Path) -> None:
    words: list[str | Path] = ["arduino", "--verify", "--board", "hocket:avr:uno"]
    words += ["--pref", f"sketchbook.path={sketchbook}"]
    words += ["--pref", f"build.path={sketchbook / 'out'}", sketchbook / "duo" / "duo.ino"]
    done = called(words, sketchbook)
    assert done.returncode == 0, done.stderr
    own = sketchbook / "own.hex"
    assert run_hocket("build", sketchbook / "duo", "--board", "uno", "-o", own).returncode == 0
    assert (sketchbook / "out" / "duo.ino.hex").read_bytes() == own.read_bytes()
