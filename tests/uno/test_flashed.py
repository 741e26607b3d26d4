"""What is written to a real Uno is all of the sketch, and it is what the simulated Uno runs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.sketches import kept, start
from tests.uno.flashed import of_elf, of_hex

from hocket.boards import find_board
from hocket.builder import Image, build_sketch
from hocket.running.programs import board_program
from hocket.sketch.folder import find_sketch

ROOT = Path(__file__).resolve().parents[2]
UNO_EXAMPLES = ("blink", "three-loops", "too-much", "periodic")

OWN_SECTION = """
__attribute__((section(".mine"))) const char mine[] = "a section of the sketch's own";
int initialized = 4711;
void setup() { Serial.begin(115200); Serial.print(initialized); Serial.print((char)pgm_read_byte(mine)); }
void loop(1, 5, 100) { delay(100); }
"""
CLOCK = """
void setup() { Serial.begin(115200); }
void loop() { Serial.println(millis()); delay(100); }
"""


def image_of(sketch: Path) -> Image:
    return build_sketch(find_sketch(str(sketch)), find_board("uno"))


def flash_of(sketch: Path) -> dict[int, int]:
    """The flash's contents, after they were found to be the program's."""
    image = image_of(sketch)
    flash = of_hex(image.flash_file)
    assert flash == of_elf(image.program)
    return flash


@pytest.mark.parametrize("example", UNO_EXAMPLES)
def test_no_byte_of_an_example_is_missing(example: str) -> None:
    assert len(flash_of(ROOT / "examples" / example)) > 400


def test_no_byte_of_an_unknown_section_is_missing() -> None:
    flash = flash_of(kept("own", OWN_SECTION))
    contents = bytes(flash.get(address, 0xFF) for address in range(max(flash) + 1))
    assert b"a section of the sketch's own" in contents


def without(file: Path, image: Image, section: str) -> Path:
    """The HEX file again, but its records that touch a section."""
    listed = subprocess.run(
        ["avr-objdump", "-h", image.program], capture_output=True, text=True, check=True
    ).stdout
    row = re.search(rf"{re.escape(section)} +([0-9a-f]+) +([0-9a-f]+)", listed)
    assert row is not None
    begin = int(row[2], 16)
    gone = range(begin, begin + int(row[1], 16))
    records = [
        line
        for line in image.flash_file.read_text().splitlines()
        if line[7:9] != "00" or not set(range(at := int(line[3:7], 16), at + 16)) & set(gone)
    ]
    file.write_text("\n".join(records) + "\n")
    return file


def test_the_simulated_uno_runs_the_hex(tmp_path: Path) -> None:
    """With the clock's interrupt left out of it the sketch goes wrong, as it would on a real one."""
    image = image_of(kept("clock", CLOCK))
    whole = start(image, 1, tmp_path / "facts.json")
    assert whole.status == 0 and whole.said.splitlines()[1:4] == ["99", "199", "300"]
    command = [str(word) for word in board_program(image, 1)]
    place = command.index("--flash") + 1
    assert command[place] == str(image.flash_file)
    command[place] = str(without(tmp_path / "less.hex", image, ".hocket_clock"))
    done = subprocess.run([*command, "--for", "1000000000"], capture_output=True, check=False)
    assert done.returncode == 1 or b"200" not in done.stdout


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "its HEX file has no end"),
        (":00000001FE\n", "a line of its HEX file is damaged"),
        (":020000040000FA\n:00000001FF\n", "its HEX file is not for a processor of this size"),
        (":0480000000000000" + "7C\n", "it does not fit into 32 KiB of flash"),
        ("what\n", "a line of its HEX file is damaged"),
    ],
)
def test_a_damaged_hex_is_not_run(text: str, sentence: str, tmp_path: Path) -> None:
    image = image_of(ROOT / "examples" / "blink")
    file = tmp_path / "bad.hex"
    file.write_text(text)
    command = [str(word) for word in board_program(image, 1)]
    command[command.index("--flash") + 1] = str(file)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert sentence in done.stderr
