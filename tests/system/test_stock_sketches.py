"""The Arduino IDE's own examples compile unchanged, without a warning, and run on the simulated board.

They are read from the Debian package `arduino` (or `arduino-core-avr`), which is in the test group of
tools/packages.txt; without it these tests fail.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.campaign import except_virt, one_in
from tests.sketches import kept

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.sketch.folder import find_sketch

EXAMPLES = Path("/usr/share/arduino/examples")
CHAPTERS = ("01.Basics", "02.Digital", "03.Analog", "05.Control", "08.Strings")
# How many each chapter has in Arduino 1.8: a package that lost some must not go unnoticed.
FEWEST = {"01.Basics": 6, "02.Digital": 9, "03.Analog": 6, "05.Control": 6, "08.Strings": 14}
# Virtual nanoseconds: Calibration spends five seconds in setup().
SEVEN_SECONDS = "7000000000"


def sketches(chapter: str) -> list[Path]:
    return sorted(EXAMPLES.glob(f"{chapter}/*/*.ino"))


STOCK = [path for chapter in CHAPTERS for path in sketches(chapter)]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_chapter_is_there(chapter: str) -> None:
    assert EXAMPLES.is_dir(), f"{EXAMPLES} is missing: install the Debian package arduino"
    assert len(sketches(chapter)) >= FEWEST[chapter]


@one_in(10)
@pytest.mark.parametrize("sketch", STOCK, ids=lambda path: f"{path.parts[-3]}/{path.stem}")
def test_builds_and_runs(sketch: Path, capfd: pytest.CaptureFixture[str]) -> None:
    image = build_sketch(find_sketch(str(sketch.parent)), find_board("sim"))
    assert "warning:" not in capfd.readouterr().err
    ended = subprocess.run(
        [image.program, "--for", SEVEN_SECONDS],
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr.decode(errors="replace")


def test_a_loop_without_an_end_stays() -> None:
    """`while (true) { continue; }` is how the sketch stops; C++ would let the compiler leave it out."""
    sketch = EXAMPLES / "04.Communication" / "ASCIITable"
    image = build_sketch(find_sketch(str(sketch)), find_board("sim"))
    ended = subprocess.run(
        [image.program, "--for", SEVEN_SECONDS], capture_output=True, timeout=120, check=False
    )
    assert ended.returncode == 0
    assert ended.stdout.rstrip().endswith(b"~, dec: 126, hex: 7E, oct: 176, bin: 1111110")


# How sketches and libraries count free memory; only used on boards where an address is an int.
FREE_MEMORY = """
extern char* __brkval;
extern char __bss_end;
static int __attribute__((unused)) freeMemory() {
  int free;
  if (reinterpret_cast<int>(__brkval) == 0) free = (int)&free - (int)&__bss_end;
  else free = (int)&free - (int)__brkval;
  return free;
}
void setup() { Serial.begin(115200); }
void loop(1, 10, 100) {
  Serial.println("runs");
  delay(1000);
}
"""


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_a_cast_of_an_address_to_an_int_is_a_warning(
    board: str, capfd: pytest.CaptureFixture[str]
) -> None:
    image = build_sketch(find_sketch(str(kept("free", FREE_MEMORY))), find_board(board))
    said = capfd.readouterr().err
    assert "free.ino:6:7: warning: cast to smaller integer type 'int' from 'char *'" in said
    assert "error" not in said
    assert image.sketch_elf.is_file()
