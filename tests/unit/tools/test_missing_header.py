"""What is advised about a header that no library has: never what the file says already."""

from __future__ import annotations

from pathlib import Path

import pytest

from hocket.boards import find_board
from hocket.builder.libraries import library_of
from hocket.builder.missing_header import advice
from hocket.sketch.folder import find_sketch

BODY = "void setup() {}\nvoid loop() {}\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    files = {
        "s/s.ino": BODY,
        "s/lib/Lost/src/Lost.h": "",
        "libraries/Kit/library.properties": "name=Kit\nversion=1.0.0\ndepends=Motor Shield, GFX (>=1)\n",
        "libraries/Kit/src/Kit.h": "",
        "libraries/Kit/src/Kit.cpp": "",
        "libraries/Kit/src/sensors/Barometer.h": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("header", "cause", "next_step"),
    [
        ("wire.h", "upper and lower case differ", "write #include <Wire.h>"),
        ("Wier.h", "one has Wire.h", "write #include <Wire.h>, if that is meant"),
        ("Barometer.h", "the library Kit has it", "write #include <sensors/Barometer.h>"),
        (
            "Lost.h",
            "no libraries are looked for there",
            "move {book}/s/lib/Lost into {book}/libraries",
        ),
        ("ESP8266WiFi.h", "the core of the ESP8266", "leave it out for sim, under"),
        (
            "Shield.h",
            "Kit says that it depends on Motor Shield, GFX",
            "put the library that has it into",
        ),
        (
            "Wire.h",
            "is not among the libraries that this build was given",
            "let it find the library",
        ),
    ],
)
def test_the_advice(book: Path, header: str, cause: str, next_step: str) -> None:
    kit = library_of(book / "libraries" / "Kit")
    told = advice(header, find_sketch(str(book / "s")), find_board("sim"), [kit])
    assert cause in told.cause
    assert told.next_step.startswith(next_step.format(book=book))
    assert f"<{header}>" not in told.next_step


def test_a_library_that_no_package_has_is_in_the_library_manager(book: Path) -> None:
    told = advice("LiquidCrystal.h", find_sketch(str(book / "s")), find_board("uno"), [])
    assert told.next_step == (
        f"put the library that has it into {book}/libraries, as the Library Manager of the Arduino IDE does"
    )
