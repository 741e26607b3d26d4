"""The Mega: what differs from the Uno."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.sketches import kept
from tests.uno.conftest import Run

from hocket.arduino.menu import ide_boards, platformio_boards
from hocket.intel_hex import intel_hex

PORTS = """\
void setup() {
  Serial.begin(115200);
  Serial1.begin(9600);
  Serial2.begin(38400);
  Serial3.begin(57600);
}
void loop(1, 10, 50) {
  static int rounds;
  Serial.println(rounds);
  Serial1.println(rounds);
  Serial2.println(rounds);
  Serial3.println(rounds++);
  delay(50);
}
void loop(2, 5, 20) {
  while (Serial3.available() > 0) Serial.write(Serial3.read());
  delay(5);
}
"""
LINES = """\
volatile unsigned counts[9];
void own2() { counts[0]++; }
void own3() { counts[1]++; }
void own21() { counts[2]++; }
void own20() { counts[3]++; }
void own19() { counts[4]++; }
void own18() { counts[5]++; }
void change12() { counts[6]++; }
void change14() { counts[7]++; }
void changeA9() { counts[8]++; }
void setup() {
  Serial.begin(115200);
  attachInterrupt(digitalPinToInterrupt(2), own2, RISING);
  attachInterrupt(digitalPinToInterrupt(3), own3, RISING);
  attachInterrupt(digitalPinToInterrupt(21), own21, RISING);
  attachInterrupt(digitalPinToInterrupt(20), own20, FALLING);
  attachInterrupt(digitalPinToInterrupt(19), own19, CHANGE);
  attachInterrupt(digitalPinToInterrupt(18), own18, RISING);
  attachInterrupt(digitalPinToInterrupt(12), change12, RISING);
  attachInterrupt(digitalPinToInterrupt(14), change14, CHANGE);
  attachInterrupt(digitalPinToInterrupt(A9), changeA9, FALLING);
}
void loop(1, 20, 100) {
  delay(900);
  noInterrupts();
  unsigned now[9];
  for (int i = 0; i < 9; i++) now[i] = counts[i];
  interrupts();
  for (int i = 0; i < 9; i++) { Serial.print(now[i]); Serial.print(' '); }
  Serial.println();
  delay(10000);
}
"""
PINS = """\
const int pwm[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
void setup() {
  Serial.begin(115200);
  for (int pin = 22; pin < 50; pin++) pinMode(pin, OUTPUT);
  for (int pin : pwm) analogWrite(pin, 10 * pin);
}
void loop(1, 20, 100) {
  for (int pin = 22; pin < 50; pin++) digitalWrite(pin, HIGH);
  Serial.println(analogRead(A0));
  Serial.println(analogRead(A15));
  for (int pin = 22; pin < 50; pin++) digitalWrite(pin, LOW);
  delay(200);
}
"""


def test_four_serial_ports_are_counted(uno: Run) -> None:
    done = uno(kept("ports", PORTS), "400ms", "--board", "mega")
    assert done.status == 0, done.said
    assert done.serial.split()[:3] == ["0", "1", "2"]
    first = done.report["serial_interrupts"]
    others = done.report["further_serial_interrupts"]
    assert (first["bits_per_second"], first["received_share"]) == (115_200, 0)
    assert [(each["port"], each["bits_per_second"]) for each in others] == [
        (1, 9600),
        (2, 38400),
        (3, 57600),
    ]
    assert [each["received_share"] > 0 for each in others] == [False, False, True]


def test_lines_of_pins(uno: Run, tmp_path: Path) -> None:
    """Six pins with interrupts of their own and three ports."""
    pins = (2, 3, 21, 20, 19, 18, 12, 14, "A9")
    scenario = tmp_path / "scenario.yaml"
    parts = (f"  g{pin}: {{type: generator, pin: {pin}, frequency: 100 Hz}}\n" for pin in pins)
    scenario.write_text("parts:\n" + "".join(parts), encoding="utf-8")
    done = uno(kept("lines", LINES), "1s", "--board", "mega", "--scenario", scenario)
    assert done.status == 0, done.said
    counts = [int(word) for word in done.serial.split()[:9]]
    both = [4, 7]  # CHANGE: twice as many
    assert all(85 <= count // (2 if i in both else 1) <= 92 for i, count in enumerate(counts)), (
        counts
    )
    found = {each["pin"] for each in done.report["interrupts"]}
    assert {2, 3, 18, 19, 20, 21} <= found


def test_pins_beyond_an_unos(uno: Run, tmp_path: Path) -> None:
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text(
        "parts:\n  first: {type: potentiometer, pin: A0, position: 25 %}\n"
        "  last: {type: potentiometer, pin: A15, position: 75 %}\n"
        "  lamp: {type: led, pin: 22}\n  far: {type: led, pin: 49}\n"
        "expect:\n  - {part: lamp, edges: 10}\n  - {part: far, edges: 10}\n",
        encoding="utf-8",
    )
    done = uno(kept("pins", PINS), "1s", "--board", "mega", "--scenario", scenario)
    assert done.status == 0, done.said
    assert done.serial.split()[:2] == ["256", "768"]


def test_forty_loops(uno: Run) -> None:
    loops = "".join(
        f"void loop({n}, 600us, {200 + n}ms, stackBytes(128)) {{ delay({20 + n}); }}\n"
        for n in range(1, 41)
    )
    done = uno(kept("forty", "void setup() {}\n" + loops), "500ms", "--board", "mega")
    assert done.status == 0, done.said
    assert len(done.report["loops"]) == 40
    assert all(
        loop["deadline_misses"] == 0 and loop["iterations"] > 0 for loop in done.report["loops"]
    )


ARGUMENTS = """\
#include <stdarg.h>
int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int all = 0;
  for (int i = 0; i < count; i++) all += va_arg(list, int);
  va_end(list);
  return all;
}
void setup() { Serial.begin(115200); }
void loop(1, 10, 50) { Serial.println(sum(3, 1, 2, 3)); delay(50); }
"""


def test_arguments_on_the_stack_are_refused(uno: Run) -> None:
    """clang takes them for one byte nearer than a return address of three bytes leaves them."""
    done = uno(kept("arguments", ARGUMENTS), "100ms", "--board", "mega")
    assert done.status == 2
    assert "arguments on the stack" in done.said
    assert uno(kept("arguments", ARGUMENTS), "100ms").serial.split()[0] == "6"


def _of_frame(size: int, count: int, variable: bool) -> str:
    """Returns a function with a frame of this size, whose last argument is on the stack where the arguments
    take more than 18 bytes."""
    name = f"of{size}_{count}_{int(variable)}"
    arguments = "int a, ..." if variable else ", ".join(f"int a{i}" for i in range(count))
    last = (
        "va_list l; va_start(l, a); int x = va_arg(l, int);"
        if variable
        else f"int x = a{count - 1};"
    )
    frame = f"volatile char b[{size}]; b[{size - 1}] = x; b[0] = x;" if size else ""
    value = f"b[{size - 1}] + (a0 > 3 ? b : b + 1)[0]" if size and not variable else "x"
    return f"__attribute__((noinline)) int {name}({arguments}) {{ {last} {frame} return x + {value}; }}\n"


def test_each_function_with_arguments_on_the_stack_is_found(uno: Run) -> None:
    """Large frames are beyond what an instruction reaches."""
    sizes = (0, 2, 40, 58, 62, 64, 100, 200, 600)
    right = [_of_frame(size, count, False) for size in sizes for count in (1, 9)]
    wrong = [_of_frame(size, count, False) for size in sizes for count in (10, 11, 20)]
    wrong += [_of_frame(size, 1, True) for size in sizes]
    text = "#include <stdarg.h>\n" + "".join(wrong + right) + "void setup() {}\n"
    done = uno(
        kept("frames", text + "void loop(1, 10, 50) { delay(50); }\n"), "10ms", "--board", "mega"
    )
    assert done.status == 2
    found = re.findall(
        r"frames\.ino:(\d+):1: error: this function gets arguments on the stack", done.said
    )
    assert sorted(map(int, found)) == list(range(2, 2 + len(wrong)))


MANY = """\
#include <IPAddress.h>
volatile long in[] = {512, 0, 1023, 100, 180};
void setup() { Serial.begin(115200); }
void loop(1, 10, 50) {
  Serial.println(map(in[0], in[1], in[2], in[3], in[4]));
  const uint8_t b = in[3];
  Serial.println(IPAddress(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, b, b + 1));
  delay(50);
}
"""


def test_calls_of_many_arguments(uno: Run) -> None:
    said = ["140", "102:304:506:708:90a:b0c:d0e:6465"]
    for board in ("mega", "uno"):
        assert uno(kept("many", MANY), "100ms", "--board", board).serial.split()[:2] == said


def test_addresses_beyond_64_kb_in_hex() -> None:
    text = intel_hex([(0xFFF8, bytes(range(16)))])
    first, segment, second, end = text.splitlines()
    assert first.startswith(":08FFF8000001020304050607")
    assert (segment, end) == (":020000021000EC", ":00000001FF")
    assert second.startswith(":0800000008090A0B0C0D0E0F")


def test_its_names_in_the_arduino_ide_and_platformio() -> None:
    menu = ide_boards("avr8").splitlines()
    for line in ("name=Arduino Mega 2560 (Hocket)", "build.board=AVR_MEGA2560"):
        assert f"mega.{line}" in menu
    assert "mega.upload.protocol=wiring" in menu
    boards = platformio_boards()
    for name in ("mega", "megaatmega2560"):
        assert json.loads(boards[name])["build"]["hocket"] == "mega"
