"""Sketches as they may be: odd names, other editors' files, links, what is cut off; two at once; in
a checkout of somebody else's. Each runs, or gets the sentence that helps."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.commands import ENTRY, ROOT, run_hocket

SKETCH = 'void setup() { Serial.begin(9600); Serial.println("hi"); }\nvoid loop() { delay(10); }\n'


@one_in(4)
@pytest.mark.parametrize(
    "name", ["per%cent", "quo'te", 'dou"ble', "colon:x", "sp ace", "$HOME", "ü"]
)
def test_names_that_a_compiler_may_stumble_over(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    (folder / f"{name}.ino").write_text(SKETCH)
    done = run_hocket("run", f"./{name}", "--for", "10ms", cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "hi"), done.stderr
    (folder / f"{name}.ino").write_text("void setup() { wrong }\nvoid loop() {}\n")
    done = run_hocket("check", f"./{name}", cwd=tmp_path)
    assert done.returncode == 2
    assert f"hocket: {name}/{name}.ino:1: the sketch does not compile" in done.stderr


LATIN = SKETCH.replace("hi", "ä").encode("latin-1")
TEXTS = {
    "with a mark": b"\xef\xbb\xbf" + SKETCH.encode(),
    "CRLF": SKETCH.replace("\n", "\r\n").encode(),
    "Latin-1": LATIN,
    "NUL": SKETCH.encode().replace(b"delay", b"\0delay"),
    "2 MB": SKETCH.encode() + b"// and so on, and so on, and so on\n" * 60_000,
}


@one_in(5)
@pytest.mark.parametrize("kind", TEXTS)
def test_a_sketch_of_another_editor(tmp_path: Path, kind: str) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "odd.ino").write_bytes(TEXTS[kind])
    done = run_hocket("run", "odd", "--for", "10ms", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == ("ä" if kind == "Latin-1" else "hi")


@one_in(2)
@pytest.mark.parametrize("board", ["sim", "uno"])
def test_what_is_not_used_may_use_what_is_nowhere(tmp_path: Path, board: str) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "parts.ino").write_text(SKETCH)
    (tmp_path / "parts" / "unused.cpp").write_text(
        "void nowhere();\nextern int nothing;\nint unused() { nowhere(); return nothing; }\n"
    )
    done = run_hocket("run", "parts", "--board", board, "--for", "10ms", cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "hi"), done.stderr


def test_an_empty_sketch_and_links_that_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "empty.ino").touch()
    done = run_hocket("run", "empty", cwd=tmp_path)
    assert (done.returncode, "this sketch has no setup()" in done.stderr) == (2, True)
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    done = run_hocket("run", "a", cwd=tmp_path)
    assert done.returncode == 2
    assert "\n  next:  " in done.stderr


def test_a_header_with_other_letters(tmp_path: Path) -> None:
    (tmp_path / "bus").mkdir()
    (tmp_path / "bus" / "bus.ino").write_text(f"#include <wire.h>\n{SKETCH}")
    done = run_hocket("check", "bus", cwd=tmp_path)
    assert done.stderr.endswith("upper and lower case differ\n  next:  write #include <Wire.h>\n")


@long_form
def test_a_program_that_is_cut_off_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / "cut.ino").write_text(SKETCH)
    program = tmp_path / run_hocket("build", "cut", cwd=tmp_path).stdout.strip()
    for file in (program, program.parent / ".obj" / "cut.ino.o"):
        os.truncate(file, 100)
        done = run_hocket("run", "cut", "--for", "10ms", cwd=tmp_path)
        assert (done.returncode, done.stdout.splitlines()[0]) == (0, "hi"), done.stderr


@long_form
def test_two_runs_at_once_of_a_sketch_that_is_not_built_yet(tmp_path: Path) -> None:
    (tmp_path / "twice").mkdir()
    (tmp_path / "twice" / "twice.ino").write_text(SKETCH)
    line = f"{ENTRY} run {tmp_path}/twice --for 10ms"
    both = f"{line} >a 2>c & {line} >b 2>d; one=$?; wait $!; echo $one $?"
    done = subprocess.run(
        ["bash", "-c", both], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "0 0\n"
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root")
def test_a_checkout_of_another_user_is_built_elsewhere(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    shutil.copytree(ROOT / "tools" / "hocket", checkout / "tools" / "hocket")
    for file in (checkout, *checkout.rglob("*")):
        os.chown(file, 65534, 65534)
    told = "from hocket.paths import BUILD, RESULTS; print(BUILD, RESULTS, sep='\\n')"
    words = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", sys.executable, "-c", told]
    done = subprocess.run(
        words,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(checkout / "tools"), "HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=True,
    )
    build, results = map(Path, done.stdout.split())
    assert build.parent == tmp_path / "home" / ".cache" / "hocket"
    assert results == tmp_path / "results"
