"""`hocket try` as its users meet it: a sketchbook with a library, good and bad sketches."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from tests.campaign import long_form
from tests.commands import ENTRY, run_hocket

FILES = {
    "libraries/Twice/library.properties": "name=Twice\nversion=1.0.0\n",
    "libraries/Twice/src/Twice.h": "#pragma once\nint twice(int value);\n",
    "libraries/Twice/src/Twice.cpp": '#include "Twice.h"\nint twice(int value) { return 2 * value; }\n',
    "libraries/Twice/examples/sorted/by/kind/Show/Show.ino": (
        "#include <Twice.h>\nvoid setup() { Serial.begin(9600); }\n"
        "void loop(1, 10, 100) { Serial.println(twice(millis())); delay(10); }\n"
    ),
    "wrong/wrong.ino": "void setup() {}\nvoid loop() {\n  nothing(1);\n}\n",
    "sides/sides.ino": "void setup() { PORTB = 1; }\nvoid loop() {}\n",
    "policy/policy.ino": "HOCKET_POLICY(edf)\nvoid setup() {}\nvoid periodic(1, 1, 10) {}\n",
}


@pytest.fixture
def sketchbook(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_every_sketch_on_every_board(sketchbook: Path) -> None:
    boards = ["--board", "uno", "--board", "sim"]
    done = run_hocket("try", ".", *boards, "--json", "out.json", cwd=sketchbook)
    assert done.returncode == 2, done.stderr
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "sketch                                        uno     sim",
        "--------------------------------------------  ------  ------",
        "libraries/Twice/examples/sorted/by/kind/Show  builds  builds",
        "policy                                        builds  builds",
        "sides                                         builds  fails",
        "wrong                                         fails   fails",
        "",
        "sides:",
        "  sim: sides.ino:1: use of undeclared identifier 'PORTB'",
        "wrong:",
        "  uno, sim: wrong.ino:3: use of undeclared identifier 'nothing'",
        "",
        "uno: 3 of 4 build",
        "sim: 2 of 4 build",
    ]
    told = json.loads((sketchbook / "out.json").read_text())
    assert told["builds"] == {"uno": 3, "sim": 2}
    wrong = told["sketches"][3]["boards"]["uno"]
    assert "wrong.ino:3:3: error: use of undeclared identifier" in wrong["said"]


@long_form
def test_a_library_that_lies_somewhere(sketchbook: Path) -> None:
    """What a clone looks like, and libraries in a folder that is not called `libraries`."""
    (sketchbook / "libraries").rename(sketchbook / "clones")
    own = run_hocket("try", "clones/Twice", "--board", "sim", cwd=sketchbook)
    assert own.stdout.splitlines()[-1] == "sim: 1 of 1 builds"
    assert own.returncode == 0
    show = sketchbook / "clones/Twice/examples/sorted/by/kind/Show"
    show.rename(sketchbook / "Show")
    without = run_hocket("try", "Show", "--board", "sim", cwd=sketchbook)
    assert "sim: Show.ino:1: no library here has Twice.h" in without.stdout
    named = run_hocket("try", "Show", "--board", "sim", "--libraries", "clones", cwd=sketchbook)
    assert named.returncode == 0, named.stdout


def test_json_alone_on_standard_output(sketchbook: Path) -> None:
    done = run_hocket("try", "sides", "--board", "uno", "--json", "-", cwd=sketchbook)
    assert json.loads(done.stdout)["tried"] == 1
    assert "uno: 1 of 1 builds" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["gone"], "there is no file or folder gone"),
        (["libraries/Twice/src"], "there is no sketch in libraries/Twice/src"),
        (["wrong", "--board", "due"], "there is no board 'due'"),
        (["wrong", "--jobs", "0"], "--jobs 0 is out of range"),
        (["wrong", "--libraries", "gone"], "--libraries gone is no folder"),
        (["wrong", "--json", "gone/out.json"], "--json gone/out.json cannot be written"),
    ],
)
def test_what_cannot_be_tried(sketchbook: Path, words: list[str], said: str) -> None:
    done = run_hocket("try", *words, cwd=sketchbook)
    assert done.returncode == 2
    assert said in done.stderr


def test_ctrl_c_ends_it(sketchbook: Path) -> None:
    """As a terminal does it: to all of the process group. A source keeps the compiler busy meanwhile."""
    (sketchbook / "long").mkdir()
    (sketchbook / "long" / "long.ino").write_text(
        "template <int a, int b> struct S { static const int v = S<a - 1, b>::v + S<a - 1, b + 1>::v; };\n"
        "template <int b> struct S<0, b> { static const int v = 1; };\n"
        "int x = S<900, 0>::v;\nvoid setup() {}\nvoid loop() {}\n"
    )
    words = [str(ENTRY), "try", "long", "--board", "sim"]
    process = subprocess.Popen(
        words, cwd=sketchbook, stderr=subprocess.PIPE, text=True, process_group=0
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "trying" in line:
            break
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "hocket: interrupted"
