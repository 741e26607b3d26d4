"""What a plain sketch can include on the Uno is C++ that avr-gcc knows: else the sketch is clang's."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.sketches import kept

from hocket.boards import find_board
from hocket.builder import Toolchain, build_sketch, prepare_board
from hocket.sketch.folder import find_sketch

ARDUINO = Path(__file__).resolve().parents[2] / "arduino"
# Below arduino/: what sketches include by its name.
FOLDERS = (
    "",
    "api",
    "compat",
    "cores/avr8/include",
    "variants/atmega328p",
    "../boards/uno/variant",
)
# Hocket's own, which are clang's in any case; and what stands for the C library and registers elsewhere.
OTHERS = {"Hocket.h", "TimeServices.h", "epos.h", "qduino.h", "uno_interrupts_vcpu.h"}
ELSEWHERE = {"cstdio.h", "c_library.h", "avr_library.h", "status_register.h"}
# Arduino's own is taken on this board.
NOT_FOR_THE_UNO = {"SoftwareSerial"}
# Includes Hocket's own: its sketches are clang's.
CLANGS = {"Qduino"}


@pytest.fixture(scope="module")
def toolchain() -> Toolchain:
    return prepare_board(find_board("uno"))


def box_libraries() -> list[Path]:
    folders = sorted((ARDUINO / "libraries").iterdir())
    return [path / "src" for path in folders if path.name not in NOT_FOR_THE_UNO | CLANGS]


def headers() -> list[Path]:
    found = list[Path]()
    for folder in FOLDERS:
        place = ARDUINO / folder
        every = place.rglob("*") if "compat" in folder or "include" in folder else place.glob("*.h")
        found += [path for path in sorted(every) if path.is_file()]
    return [path for path in found if path.name not in OTHERS | ELSEWHERE]


def check(toolchain: Toolchain, *words: str | Path, text: str | None = None) -> None:
    gcc = toolchain.gcc
    assert gcc is not None
    folders = [f"-I{path}" for path in box_libraries()]
    done = subprocess.run(
        [gcc.cxx, *gcc.compile, *folders, "-fsyntax-only", *map(str, words)],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def included(files: list[Path]) -> str:
    return "#include <Arduino.h>\n" + "".join(f'#include "{path}"\n' for path in files)


def test_all_headers(toolchain: Toolchain) -> None:
    files = headers()
    assert {"Arduino.h", "WString.h", "pgmspace.h", "new"} <= {path.name for path in files}
    assert len(files) > 50
    check(toolchain, "-x", "c++", "-", text=included(files))
    files = [path for source in box_libraries() for path in sorted(source.rglob("*.h"))]
    assert {"EEPROM.h", "TwoWire.h", "twi.h"} <= {path.name for path in files}
    check(toolchain, "-x", "c++", "-", text=included(files))


def test_the_sources_of_the_boxes_libraries(toolchain: Toolchain) -> None:
    files = [path for source in box_libraries() for path in sorted(source.rglob("*.cpp"))]
    assert len(files) > 5
    check(toolchain, *files)


USES = {
    "Wire": "Wire.begin();\n  Wire.beginTransmission(8);\n  Wire.write(1);\n  Wire.endTransmission();",
    "SPI": "SPI.begin();\n  SPI.transfer(1);",
    "EEPROM": "EEPROM.update(1, EEPROM.read(2));",
    "Servo": "static Servo servo;\n  servo.attach(9);",
    "SoftwareSerial": "static SoftwareSerial line(2, 3);\n  line.begin(9600);",
}


def test_a_sketch_of_each(toolchain: Toolchain) -> None:
    """All together are avr-gcc's, then."""
    names = {path.name for path in (ARDUINO / "libraries").iterdir()}
    assert names == set(USES) | CLANGS
    includes = "".join(f"#include <{name}.h>\n" for name in USES)
    body = "".join(f"  {use}\n" for use in USES.values())
    text = f"{includes}void setup() {{\n{body}}}\nvoid loop() {{}}\n"
    image = build_sketch(find_sketch(str(kept("of_each", text))), find_board("uno"), toolchain)
    assert image.compiler.startswith("avr-gcc ")
