"""The Arduino IDE's own examples on the Uno: all of them build unchanged and without a warning, a few
run beside parts and are compared with what a real Uno says.

They are read from the Debian packages `arduino` and `arduino-core-avr` (tools/packages.txt, group test).
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form, one_in
from tests.uno.flashed import of_elf, of_hex
from tests.uno.waves import edges, pulses

from hocket.boards import find_board
from hocket.builder import Toolchain, build_sketch, prepare_board
from hocket.errors import HocketError
from hocket.sketch.folder import find_sketch

Run = Callable[..., Any]

EXAMPLES = Path("/usr/share/arduino/examples")
LIBRARIES = Path("/usr/share/arduino/hardware/arduino/avr/libraries")
# How many each chapter has in Arduino 1.8: a package that lost some must not go unnoticed.
FEWEST = {
    "01.Basics": 6, "02.Digital": 9, "03.Analog": 6, "04.Communication": 12, "05.Control": 6,
    "06.Sensors": 4, "07.Display": 2, "08.Strings": 14, "11.ArduinoISP": 1,
}  # fmt: skip
# Made for boards that have what the Uno lacks, and what is said then.
ONE_SERIAL = "use of undeclared identifier 'Serial1'"
OF_OTHER_BOARDS = {"MultiSerial": ONE_SERIAL, "SerialPassthrough": ONE_SERIAL}
# The USB chapter is for boards whose processor is a keyboard or a mouse (Leonardo, Micro).
USB = "no library here has (Keyboard|Mouse).h"


def sketches(pattern: str) -> list[Path]:
    return sorted(path.parent for path in EXAMPLES.glob(f"{pattern}/*.ino"))


STOCK = [path for chapter in FEWEST for path in sketches(f"{chapter}/*")]
OF_LIBRARIES = sorted(path.parent for path in LIBRARIES.glob("*/examples/*/*.ino"))


@pytest.fixture(scope="session")
def toolchain() -> Toolchain:
    """The board's libraries, looked after once."""
    return prepare_board(find_board("uno"))


def name(path: Path) -> str:
    return "/".join(path.parts[-2:])


@pytest.mark.parametrize("chapter", FEWEST)
def test_chapter_is_there(chapter: str) -> None:
    assert EXAMPLES.is_dir(), f"{EXAMPLES} is missing: install the Debian package arduino"
    assert len(sketches(f"{chapter}/*")) >= FEWEST[chapter]


@one_in(9)
@pytest.mark.parametrize("sketch", STOCK, ids=name)
def test_builds(sketch: Path, toolchain: Toolchain, capfd: pytest.CaptureFixture[str]) -> None:
    reason = OF_OTHER_BOARDS.get(sketch.name)
    if reason is None:
        image = build_sketch(find_sketch(str(sketch)), find_board("uno"), toolchain)
        assert of_hex(image.flash_file) == of_elf(image.program)
        assert image.compiler.startswith("avr-gcc ")
        assert "warning:" not in capfd.readouterr().err
        return
    with pytest.raises(HocketError, match="does not compile"):
        build_sketch(find_sketch(str(sketch)), find_board("uno"), toolchain)
    assert reason in capfd.readouterr().err


@one_in(4)
@pytest.mark.parametrize("sketch", sketches("09.USB/*/*") + sketches("09.USB/*"), ids=name)
def test_usb_is_told_apart(sketch: Path, toolchain: Toolchain) -> None:
    with pytest.raises(HocketError, match="does not compile") as error:
        build_sketch(find_sketch(str(sketch)), find_board("uno"), toolchain)
    assert re.search(USB, error.value.cause)


@one_in(4)
@pytest.mark.parametrize("sketch", OF_LIBRARIES, ids=name)
def test_libraries_of_arduino_build(sketch: Path, tmp_path: Path, toolchain: Toolchain) -> None:
    """SoftwareSerial is Arduino's own, as it is; EEPROM, Wire and SPI are those in the box."""
    copy = tmp_path / sketch.name
    shutil.copytree(sketch, copy)
    image = build_sketch(find_sketch(str(copy)), find_board("uno"), toolchain)
    assert of_hex(image.flash_file) == of_elf(image.program)
    assert image.compiler.startswith("avr-gcc ")


def test_libraries_of_arduino_are_there() -> None:
    assert {path.parts[-3] for path in OF_LIBRARIES} >= {"EEPROM", "SPI", "SoftwareSerial", "Wire"}


# --- A few of them run ---


@pytest.fixture
def beside(uno: Run, tmp_path: Path) -> Callable[..., tuple[list[str], Path]]:
    """beside(example, parts, duration): the lines of its Serial, and the file of its waves."""

    def run(example: str, parts: str, duration: str) -> tuple[list[str], Path]:
        scenario, waves = tmp_path / "scenario.yaml", tmp_path / "waves.vcd"
        scenario.write_text(f"about: What is around {example}.\nparts:\n{parts}")
        done = uno(EXAMPLES / example, duration, "--vcd", waves, "--scenario", scenario)
        assert done.status == 0, done.said
        return done.serial.splitlines(), waves

    return run


Beside = Callable[..., tuple[list[str], Path]]
KNOB = "  knob: {type: potentiometer, pin: A0, position: 25 %}\n"
MS = 1_000_000


def test_analog_read_serial(beside: Beside) -> None:
    lines, _ = beside("01.Basics/AnalogReadSerial", KNOB, "100ms")
    values = [int(line) for line in lines if line.isdigit()][:-1]  # the last may be cut off
    assert len(values) >= 15
    assert set(values) == {256}


def test_button(beside: Beside) -> None:
    """The lamp is on while the button is pressed."""
    button = (
        "  push: {type: button, pin: 2, wiring: supply, resistor: true, bounce: 0 s, "
        "pressed: [{at: 20 ms, for: 30 ms}, {at: 80 ms, for: 5 ms}]}\n"
    )
    _, waves = beside("02.Digital/Button", button, "120ms")
    lit = pulses(waves, "D13")
    assert [at for at, _ in lit] == pytest.approx([20 * MS, 80 * MS], abs=MS // 10)
    assert [time for _, time in lit] == pytest.approx([30 * MS, 5 * MS], abs=MS // 10)


@long_form
def test_debounce(beside: Beside) -> None:
    """Each press turns the lamp over once, 50 ms after the contact rests, however it bounces."""
    button = (
        "  push: {type: button, pin: 2, wiring: supply, resistor: true, bounce: 5 ms, "
        "pressed: [{at: 100 ms, for: 200 ms}, {at: 500 ms, for: 200 ms}, {at: 900 ms, for: 20 ms}]}\n"
    )
    _, waves = beside("02.Digital/Debounce", button, "1200ms")
    turned = [(at, level) for at, level in edges(waves, "D13") if at > MS]
    assert [level for _, level in turned] == [0, 1]  # the third press is too short
    assert 150 * MS < turned[0][0] < 157 * MS
    assert 550 * MS < turned[1][0] < 557 * MS


@long_form
def test_string_addition(beside: Beside) -> None:
    lines, _ = beside("08.Strings/StringAdditionOperator", KNOB, "400ms")
    assert lines[:10] == [
        "", "", "Adding Strings together (concatenation):", "",
        "You added 123", "You added 123456789", "You added A", "You added abc",
        "You added this string", "Sensor value: 256",
    ]  # fmt: skip
    assert re.fullmatch(r"millis\(\) value: \d+", lines[10])


@long_form
def test_ascii_table(beside: Beside) -> None:
    lines, _ = beside("04.Communication/ASCIITable", KNOB, "5s")
    assert lines[0] == "ASCII Table ~ Character Map"
    assert lines[1:95] == [
        f"{chr(n)}, dec: {n}, hex: {n:X}, oct: {n:o}, bin: {n:b}" for n in range(33, 127)
    ]


@long_form
def test_physical_pixel(beside: Beside) -> None:
    """H and L switch the lamp; at 9600 baud a byte takes 1.04 ms on the line. Then comes the interrupt, and
    loop() looks whether there is something to read."""
    typist = (
        "  typist: {type: serial, port: 0, send: [{at: 20 ms, text: H}, {at: 50 ms, text: L}, "
        "{at: 70 ms, text: xHLH}]}\n"
    )
    _, waves = beside("04.Communication/PhysicalPixel", typist, "120ms")
    lit = edges(waves, "D13")
    turned = [(at, level) for at, level in lit if at > 10 * MS]
    assert [level for _, level in turned] == [1, 0, 1, 0, 1]
    a_byte = 10 * 1_000_000_000 // 9615  # the nearest that an Uno comes to 9600 baud
    assert [at for at, _ in turned[:2]] == pytest.approx(
        [20 * MS + a_byte, 50 * MS + a_byte], abs=0.2 * MS
    )
    assert turned[3][0] - turned[2][0] == pytest.approx(a_byte, rel=0.2)


@long_form
def test_serial_event(beside: Beside) -> None:
    typist = '  typist: {type: serial, port: 0, send: [{at: 20 ms, text: "one line\\n"}]}\n'
    lines, _ = beside("04.Communication/SerialEvent", typist, "100ms")
    assert lines[:2] == ["one line", ""]


@long_form
def test_tone_melody(beside: Beside) -> None:
    """Each note's pitch and length, from the waves of pin 8 (the notes' hertz are in pitches.h)."""
    _, waves = beside("02.Digital/toneMelody", KNOB, "3s")
    notes = [
        (262, 250), (196, 125), (196, 125), (220, 250), (196, 250), (0, 250), (247, 250), (262, 250),
    ]  # fmt: skip
    changes = [at for at, _ in edges(waves, "D8") if at > MS]
    # The notes are those stretches that have silence of 30 % after them; one is silent itself.
    ends = [at for at, after in pairwise([*changes, changes[-1] + 50 * MS]) if after - at > 20 * MS]
    starts = [changes[0], *(changes[changes.index(end) + 1] for end in ends[:-1])]
    sounding = [(hertz, ms) for hertz, ms in notes if hertz != 0]
    assert len(ends) == len(sounding)
    for (hertz, ms), start, end in zip(sounding, starts, ends, strict=True):
        half_periods = len([at for at in changes if start <= at <= end]) - 1
        assert (end - start) / half_periods == pytest.approx(1e9 / 2 / hertz, rel=0.008)
        assert end - start == pytest.approx(ms * MS, rel=0.05)
