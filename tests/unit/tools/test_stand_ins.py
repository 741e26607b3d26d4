"""Files of well-known libraries that are an error on processors they do not know: ours stand in for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.campaign import except_virt, long_form, one_in
from tests.commands import run_hocket

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.errors import HocketError
from hocket.sketch.folder import find_sketch
from hocket.stand_ins import replaced, stand_in_flags

REFUSES = "#if !defined(__AVR__)\n#error no such board\n#endif\n"
# What sketches and the other files of these libraries ask of them.
SD = """
#include <SD.h>
static_assert(SS_PIN == SS && MOSI_PIN == MOSI && MISO_PIN == MISO && SCK_PIN == SCK);
void setup() {}
void loop() {}
"""
FIRMATA = """
#include <Servo.h>
#include <Firmata.h>
static_assert(TOTAL_PINS == NUM_DIGITAL_PINS && TOTAL_PORTS == 9 && TOTAL_ANALOG_PINS == 16);
static_assert(!IS_PIN_DIGITAL(1) && IS_PIN_DIGITAL(2) && !IS_PIN_DIGITAL(70));
static_assert(IS_PIN_ANALOG(A0) && PIN_TO_ANALOG(A15) == 15 && !IS_PIN_ANALOG(13));
static_assert(IS_PIN_PWM(13) && !IS_PIN_PWM(14) && IS_PIN_I2C(SDA) && IS_PIN_SPI(SS));
static_assert(IS_PIN_SERVO(2) && IS_PIN_SERVO(69) && !IS_PIN_SERVO(1) && !IS_PIN_SERVO(70));
static_assert(IS_PIN_SERIAL(PIN_SERIAL1_RX) && !IS_PIN_SERIAL(20) && IS_PIN_INTERRUPT(69));
void setup() {
  pinMode(VERSION_BLINK_PIN, OUTPUT);
  writePort(1, readPort(0, 0xff), 0x3c);
}
void loop() {}
"""


def library(place: Path, name: str, refuses: str) -> Path:
    folder = place / "libraries" / name / "src"
    (folder / refuses).parent.mkdir(parents=True)
    (folder / refuses).write_text(REFUSES)
    (folder / f"{name}.h").write_text(f'#pragma once\n#include "{refuses}"\n')
    (folder / f"{name}.cpp").write_text(f'#include "{name}.h"\n')
    return folder


def built(place: Path, text: str, board: str) -> None:
    sketch = place / "sketch"
    sketch.mkdir(exist_ok=True)
    (sketch / "sketch.ino").write_text(text)
    build_sketch(find_sketch(str(sketch)), find_board(board))


@one_in(2)
@pytest.mark.parametrize(
    ("name", "refuses", "text"),
    [("SD", "utility/Sd2PinMap.h", SD), ("Firmata", "Boards.h", FIRMATA)],
)
def test_the_library_builds_as_it_is(tmp_path: Path, name: str, refuses: str, text: str) -> None:
    place = tmp_path / "a b ü"
    folder = library(place, name, refuses)
    built(place, text, "sim")
    assert (folder / refuses).read_text() == REFUSES


# As the library has it: a driver in a file of its own, chosen by the processor's name.
STRIP = """
#include <Arduino.h>
#if defined(KENDRYTE_K210)
extern "C" void k210Show(uint8_t pin, uint8_t *pixels, uint32_t size, boolean fast);
void show(uint8_t pin, uint8_t *pixels, uint32_t size) { k210Show(pin, pixels, size, true); }
#else
#error Architecture not supported
#endif
"""
LIGHTS = """
#include <Adafruit_NeoPixel.h>
uint8_t lights[] = {0x96, 0x00, 0xff, 0x01, 0x80, 0x7e};  // green, red, blue of each
void setup() { pinMode(6, OUTPUT); }
void loop(1, 10ms, 20ms) {
  noInterrupts();
  show(6, lights, sizeof lights);
  interrupts();
  delay(40);
}
void loop(2, 1ms, 50ms) {}
"""


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_a_strip_of_lights_has_a_driver(tmp_path: Path, board: str) -> None:
    folder = library(tmp_path, "Adafruit_NeoPixel", "kendyte_k210.c")
    (folder / "Adafruit_NeoPixel.h").write_text(
        "#pragma once\n#include <Arduino.h>\nvoid show(uint8_t pin, uint8_t *pixels, uint32_t size);\n"
    )
    (folder / "Adafruit_NeoPixel.cpp").write_text(STRIP)
    sketch = tmp_path / "lights"
    sketch.mkdir()
    (sketch / "lights.ino").write_text(LIGHTS)
    (sketch / "scenario.yaml").write_text("parts:\n  strip: {type: ws2812, pin: 6, lights: 2}\n")
    report = tmp_path / "report.json"
    done = run_hocket("run", sketch, "--board", board, "--for", "300ms", "--json", report)
    assert done.returncode == 0, done.stderr
    strip = json.loads(report.read_text())["parts"]["strip"]
    assert strip["colours"] == "0096ff 80017e"
    assert (strip["bad_pulses"], strip["broken_frames"]) == (0, 0)
    assert strip["frames"] >= 5


# As the library has it: a sensor's pins by macros that only some processors have.
CAPACITIVE = """
#include <CapacitiveSensor.h>
bool sense(uint8_t send, uint8_t receive) {
  volatile IO_REG_TYPE *out = PIN_TO_BASEREG(send), *in = PIN_TO_BASEREG(receive);
  IO_REG_TYPE sends = PIN_TO_BITMASK(send), receives = PIN_TO_BITMASK(receive);
  DIRECT_MODE_OUTPUT(out, sends);
  DIRECT_MODE_INPUT(in, receives);
  DIRECT_WRITE_LOW(out, sends);
  bool low = DIRECT_READ(in, receives);
  DIRECT_WRITE_HIGH(out, sends);
  return !low && DIRECT_READ(in, receives);
}
"""


@long_form
def test_a_sensor_of_touch_reads_its_pins(tmp_path: Path) -> None:
    folder = tmp_path / "libraries" / "CapacitiveSensor"
    folder.mkdir(parents=True)
    (folder / "CapacitiveSensor.h").write_text(
        "#pragma once\n#include <Arduino.h>\nbool sense(uint8_t send, uint8_t receive);\n"
    )
    (folder / "CapacitiveSensor.cpp").write_text(CAPACITIVE)
    sketch = tmp_path / "touch"
    sketch.mkdir()
    (sketch / "touch.ino").write_text(
        "#include <CapacitiveSensor.h>\n"
        "void setup() { Serial.begin(115200); Serial.println(sense(4, 2) ? 1 : 0); }\n"
        "void loop() { delay(1000); }\n"
    )
    (sketch / "scenario.yaml").write_text("parts:\n  wire: {type: wire, pins: [4, 2]}\n")
    done = run_hocket("run", sketch, "--for", "100ms")
    assert done.stdout.startswith("1\n"), done.stderr


def test_only_that_file_of_that_library(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    library(tmp_path, "Other", "Boards.h")
    with pytest.raises(HocketError, match="does not compile"):
        built(tmp_path, "#include <Other.h>\nvoid setup() {}\nvoid loop() {}\n", "sim")
    assert "Boards.h:2:2: error: no such board" in capfd.readouterr().err


def test_a_board_whose_processor_it_knows_has_its_own(tmp_path: Path) -> None:
    folder = library(tmp_path, "SD", "utility/Sd2PinMap.h")
    assert replaced([folder], "uno") == {}
    assert stand_in_flags([folder], "uno") == []
    assert [file.name for file in replaced([folder], "virt")] == ["Sd2PinMap.h"]


def test_a_version_without_the_file_gets_none(tmp_path: Path) -> None:
    folder = library(tmp_path, "Firmata", "Boards.h")
    (folder / "Boards.h").unlink()
    assert stand_in_flags([folder], "sim") == []
