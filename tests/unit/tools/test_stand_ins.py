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


# As the library has it: the files that choose a processor's drivers, and what its own ones rest on.
LIGHTS_OF_FASTLED = {
    "FastLED.h": """#pragma once
#include "led_sysdefs.h"
#include "lights.h"
#include "platforms.h"
""",
    "fastled_config.h": "",
    "fastled_delay.h": """#pragma once
template <int> struct CMinWait { void wait() {} void mark() {} };
""",
    "fl/stl/stdint.h": """#pragma once
#include <stdint.h>
namespace fl { typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; }
""",
    "fl/system/arduino.h": "#include <Arduino.h>\n",
    "fl/system/pin.h": "",
    "fl/chipsets/timing_traits.h": "",
    "fl/system/fastpin_base.h": """#pragma once
namespace fl {
struct ValidPinBase {};
template <u8> class FastPin;
}
""",
    "lights.h": """#pragma once
namespace fl {
enum EOrder { RGB };
struct Ws2812 { enum { T1 = 250, T2 = 625, T3 = 375 }; };
template <EOrder> struct PixelController {
  const u8* at;
  int left;
  void preStepFirstByteDithering() {}
  bool has(int n) { return left >= n; }
  void stepDithering() {}
  u8 loadAndScale0() { return at[0]; }
  u8 loadAndScale1() { return at[1]; }
  u8 loadAndScale2() { return at[2]; }
  void advanceData() { at += 3, left--; }
};
template <EOrder order> struct CPixelLEDController {
  virtual void init() = 0;
  virtual u16 getMaxRefreshRate() const { return 0; }
  virtual void showPixels(PixelController<order>&) = 0;
};
}
""",
}
FASTLED = """
#include <FastLED.h>
uint8_t lights[] = {0x96, 0x00, 0xff, 0x01, 0x80, 0x7e};  // green, red, blue of each
struct Strip : fl::ClocklessController<6, fl::Ws2812> {
  void show() {
    fl::PixelController<fl::RGB> pixels{lights, 2};
    showPixels(pixels);
  }
} strip;
int bytes;
void clocked(int byte) {  // as the driver of strips with a clock does
  for (int bit = 7; bit >= 0; bit--) {
    if (byte >> bit & 1) fl::FastPin<4>::hi(); else fl::FastPin<4>::lo();
    fl::FastPin<5>::hi();
    bytes = bytes << 1 | digitalRead(4);
    fl::FastPin<5>::lo();
  }
}
void setup() {
  Serial.begin(115200);
  fl::FastPin<4>::setOutput();
  fl::FastPin<5>::setOutput();
  clocked(0xa5);
  Serial.println(bytes, HEX);
  strip.init();
}
void loop() {
  strip.show();
  delay(40);
}
"""
STRIP_AND_CLOCK = """parts:
  strip: {type: ws2812, pin: 6, lights: 2}
  clock: {type: probe, pin: 5}
"""


def write_all(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_fastled_drives_strips(tmp_path: Path, board: str) -> None:
    folder = library(tmp_path, "FastLED", "led_sysdefs.h")
    (folder / "FastLED.cpp").unlink()
    write_all(folder, {**LIGHTS_OF_FASTLED, "platforms.h": REFUSES})
    sketch = tmp_path / "lights"
    write_all(sketch, {"lights.ino": FASTLED, "scenario.yaml": STRIP_AND_CLOCK})
    report = tmp_path / "report.json"
    done = run_hocket("run", sketch, "--board", board, "--for", "200ms", "--json", report)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("A5")
    parts = json.loads(report.read_text())["parts"]
    assert parts["strip"]["colours"] == "0096ff 80017e"
    assert (parts["strip"]["bad_pulses"], parts["strip"]["broken_frames"]) == (0, 0)
    assert parts["clock"]["rising"] == 8


def test_an_old_fastled_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    library(tmp_path, "FastLED", "led_sysdefs.h")
    with pytest.raises(HocketError, match="does not compile"):
        built(tmp_path, "#include <FastLED.h>\nvoid setup() {}\nvoid loop() {}\n", "sim")
    assert "this version of FastLED is older than 3.10" in capfd.readouterr().err


# As the library has it: a state machine that a timer's interrupt feeds with the level of a pin.
IRREMOTE = """#pragma once
#include <Arduino.h>
#define VERSION_IRREMOTE_MAJOR 4
#define VERSION_IRREMOTE_MINOR 7
#define MICROS_PER_TICK 50
#define RECORD_GAP_TICKS 100
#define digitalReadFast digitalRead
enum { IR_REC_STATE_IDLE, IR_REC_STATE_MARK, IR_REC_STATE_SPACE, IR_REC_STATE_STOP };
struct IRrecv {
  struct {
    volatile uint8_t StateForISR = IR_REC_STATE_IDLE;
    uint8_t IRReceivePin;
    uint_fast16_t TickCounterForISR = 0;
    uint16_t lengths[100];
    unsigned used;
  } irparams;
};
IRrecv IrReceiver;
#include "private/IRTimer.hpp"
void IRReceiveTimerInterruptHandler() {
  auto& now = IrReceiver.irparams;
  bool mark = digitalReadFast(now.IRReceivePin) == LOW;
  if (now.TickCounterForISR < UINT16_MAX) now.TickCounterForISR++;
  auto next = [&](int state) {
    if (now.used < 100) now.lengths[now.used++] = now.TickCounterForISR;
    now.StateForISR = state;
    now.TickCounterForISR = 0;
  };
  if (now.StateForISR == IR_REC_STATE_IDLE && mark) {
    if (now.TickCounterForISR > RECORD_GAP_TICKS) now.used = 0, next(IR_REC_STATE_MARK);
    now.TickCounterForISR = 0;
  } else if (now.StateForISR == IR_REC_STATE_MARK && !mark) {
    next(IR_REC_STATE_SPACE);
  } else if (now.StateForISR == IR_REC_STATE_SPACE) {
    if (now.TickCounterForISR > RECORD_GAP_TICKS) now.StateForISR = IR_REC_STATE_STOP;
    else if (mark) next(IR_REC_STATE_MARK);
  }
}
"""
RECEIVES = """
#include <IRremote.h>
void setup() {
  Serial.begin(115200);
  IrReceiver.irparams.IRReceivePin = 2;
  pinMode(2, INPUT);
  timerConfigForReceive();
  timerEnableReceiveInterrupt();
}
void loop() {
  auto& got = IrReceiver.irparams;
  if (got.StateForISR != IR_REC_STATE_STOP) return;
  if (got.used == 68) {  // a gap, a mark and a space to begin with, 32 bits, a mark
    uint32_t bits = 0;
    for (int i = 0; i < 32; i++) bits |= uint32_t{got.lengths[4 + 2 * i] > 22} << i;
    Serial.print(bits & 0xff, HEX);
    Serial.print(':');
    Serial.println(bits >> 16 & 0xff, HEX);
    Serial.println(abs(got.lengths[1] - 180) <= 2 && abs(got.lengths[2] - 90) <= 2);
    Serial.println(got.lengths[0] > 900);
  }
  got.StateForISR = IR_REC_STATE_IDLE;
}
"""
REMOTE = """parts:
  remote:
    type: ir_receiver
    pin: 2
    address: 0x10
    pressed: [{at: 100 ms, command: 0x45}, {at: 250 ms, command: 0x18}]
"""


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_irremote_receives(tmp_path: Path, board: str) -> None:
    """Edges instead of a timer: the library sees the samples that it would have taken."""
    folder = library(tmp_path, "IRremote", "private/IRTimer.hpp")
    (folder / "IRremote.cpp").unlink()
    write_all(folder, {"IRremote.h": IRREMOTE})
    sketch = tmp_path / "remote"
    write_all(sketch, {"remote.ino": RECEIVES, "scenario.yaml": REMOTE})
    done = run_hocket("run", sketch, "--board", board, "--for", "400ms")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[:6] == ["10:45", "1", "1", "10:18", "1", "1"]


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
