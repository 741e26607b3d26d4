"""The C and C++ libraries give the same results on every board that can run here."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import except_virt, long_form
from tests.commands import run_hocket

ROOT = Path(__file__).resolve().parents[2]
SKETCHES = Path(__file__).parent / "sketches"
TRIED = ["sim", "virt"]

C_LIBRARY = """ 3.14|text|c|ff|1099511627776|1.234568e+04
0.841471 1.41421 2.30259
1 3 5 9
2 12 2.5 255 needle
mmm
5 7 7 2
999 one 993 100 16.5
42 a longer text that needs the heap 2 1791095845
5.000
0
done
"""
# Of loops that follow each other in time, so the order of the lines is certain.
THREAD_LOCAL = """setup 1 1 1 nsetup 1
1
one 42 7 0 n 0
two 42 7 0 n 0
one 11 11 11 n1 11
two 22 22 22 n2 22
"""


def serial(sketch: str, board: str, duration: str) -> str:
    done = run_hocket("run", SKETCHES / sketch, "--board", board, "--for", duration)
    assert done.returncode == 0, done.stderr
    return done.stdout.replace("\r", "").partition(f"{sketch} on {board}")[0]


@pytest.mark.parametrize("board", except_virt(TRIED))
def test_libraries(board: str) -> None:
    assert serial("c-library", board, "1s") == C_LIBRARY


@pytest.mark.parametrize("board", [name for name in TRIED if name != "sim"])
def test_each_loop_has_variables_of_its_own(board: str) -> None:
    """Not on sim: its loops share one thread of the computer."""
    assert serial("thread-local", board, "1900ms") == THREAD_LOCAL


# What avr-libc has and other C libraries have not: the Uno has its own, and is what the others must equal.
OF_AVR_LIBC = """
char text[40];
const double values[] = {0.0, 1536.0, -0.0625, 4096000000.0};
void say(size_t n) { Serial.print((long)n); Serial.print(' '); Serial.println(text); }
void setup() {
  Serial.begin(115200);
  say(strlcpy(text, "a longer one", 8));
  say(strlcpy(text, "short", sizeof text));
  say(strlcpy(text, "kept", 0));
  say(strlcat(text, ", and more", 10));
  say(strlcat(text, " of it", sizeof text));
  say(strlcat(text, "x", 3));
  Serial.println(strupr(text));
  Serial.println(strlwr(text));
  Serial.println(strrev(text));
  text[0] = 0;
  Serial.println(strrev(text));
  for (int precision = 0; precision < 10; precision += 3)
    for (int flags = 0; flags < 8; flags++)
      for (double value : values)
        Serial.println(dtostre(value, text, precision, flags));
  Serial.println("done");
}
void loop() { delay(1000); }
"""


@long_form
def test_what_avr_libc_has_is_everywhere(tmp_path: Path) -> None:
    folder = tmp_path / "of_avr"
    folder.mkdir()
    (folder / "of_avr.ino").write_text(OF_AVR_LIBC)
    said = {}
    for board in ("uno", "sim", "virt"):
        done = run_hocket("run", folder, "--board", board, "--for", "2s")
        assert done.returncode == 0, done.stderr
        said[board] = done.stdout.partition(f"of_avr on {board}")[0]
    assert said["uno"].endswith("done\n")
    assert said["sim"] == said["uno"]
    assert said["virt"] == said["uno"]


@long_form
def test_a_sketchs_own_function_of_such_a_name_comes_before(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "own.ino").write_text(
        'char *strrev(char *text) { return strcpy(text, "mine"); }\n'
        "char room[9];\n"
        "void setup() { Serial.begin(115200); Serial.println(strrev(room)); }\n"
        "void loop() { delay(1000); }\n"
    )
    for board in TRIED:
        done = run_hocket("run", folder, "--board", board, "--for", "100ms")
        assert done.stdout.startswith("mine\n"), done.stderr


OWN_STREAM = """
FILE mine;
int put(char c, FILE*) {
  Serial.write(c);
  return 0;
}
void setup() {
  Serial.begin(9600);
  %s
}
void loop() {}
"""


@pytest.mark.parametrize("board", except_virt(TRIED))
@pytest.mark.parametrize(
    "call", ["fdev_setup_stream(&mine, put, NULL, _FDEV_SETUP_WRITE);", "fdevopen(put, NULL);"]
)
def test_streams_of_a_sketch_are_refused(tmp_path: Path, board: str, call: str) -> None:
    """The Uno has them (tests/uno/test_standard_streams.py)."""
    sketch = tmp_path / "streams"
    sketch.mkdir()
    (sketch / "streams.ino").write_text(OWN_STREAM % call)
    done = run_hocket("build", "--board", board, sketch)
    assert done.returncode == 2
    name = call.partition("(")[0]
    assert f"streams.ino:9:3: error: '{name}<" in done.stderr
    assert "is unavailable: only the Uno has streams of a sketch's own" in done.stderr
    assert "use snprintf() into a text" in done.stderr
