"""Parts at pins that a sketch drives bit by bit: the same sketch and the same outcome on every board."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import except_virt, one_in
from tests.commands import run_hocket
from tests.interrupts import on, run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@one_in(2)
@pytest.mark.parametrize("board", ["virt", "uno"])
def test_a_keypad_and_a_display_of_characters(board: str) -> None:
    """On sim: test_examples.py."""
    done = run_hocket("test", EXAMPLES / "code-lock", "--board", board)
    assert done.returncode == 0, done.stdout


# Drivers written from the data sheets, in the ways that DHT, OneWire and DallasTemperature have.
WIRES = """
const int AIR = 2, BUS = 3;

// Humidity and temperature in tenths; false: no answer, or not a whole one.
bool readAir(int &humidity, int &temperature) {
  byte data[5] = {0};
  pinMode(AIR, OUTPUT);
  digitalWrite(AIR, LOW);
  delayMicroseconds(1100);
  noInterrupts();
  pinMode(AIR, INPUT_PULLUP);
  bool good = pulseIn(AIR, HIGH, 1000) > 0;  // the 80 us before the bits
  for (int bit = 0; bit < 40; bit++) {
    unsigned long high = pulseIn(AIR, HIGH, 1000);
    good = good && high > 0;
    data[bit / 8] = data[bit / 8] << 1 | (high > 45);
  }
  interrupts();
  humidity = data[0] << 8 | data[1];
  temperature = (data[2] & 0x7f) << 8 | data[3];
  if (data[2] & 0x80) temperature = -temperature;
  return good && (byte)(data[0] + data[1] + data[2] + data[3]) == data[4];
}

bool reset() {
  digitalWrite(BUS, LOW);
  pinMode(BUS, OUTPUT);
  delayMicroseconds(480);
  pinMode(BUS, INPUT);
  delayMicroseconds(70);
  bool present = !digitalRead(BUS);
  delayMicroseconds(410);
  return present;
}
bool slot(bool one) {
  noInterrupts();
  pinMode(BUS, OUTPUT);
  delayMicroseconds(one ? 3 : 60);
  pinMode(BUS, INPUT);
  delayMicroseconds(8);
  bool seen = digitalRead(BUS);
  interrupts();
  delayMicroseconds(55);
  return seen;
}
byte exchange(byte out) {
  byte in = 0;
  for (byte bit = 0; bit < 8; bit++) in |= slot(out >> bit & 1) << bit;
  return in;
}

void setup() {
  Serial.begin(115200);
  int humidity, temperature;
  delay(1000);
  Serial.print(readAir(humidity, temperature));
  Serial.print(' ');
  Serial.print(humidity);
  Serial.print(' ');
  Serial.println(temperature);
  Serial.println(reset());
  exchange(0xcc);
  exchange(0x44);
  delay(800);
  reset();
  exchange(0xcc);
  exchange(0xbe);
  byte low = exchange(0xff);
  Serial.println((int16_t)(low | exchange(0xff) << 8));
}
void loop() { delay(1000); }
"""


@one_in(5)
@pytest.mark.parametrize("board", ["sim", "virt", "uno"])
def test_bits_that_are_times_at_one_wire(tmp_path: Path, board: str) -> None:
    scenario = """
parts:
  air: {type: dht22, pin: 2, temperature: -4.2 C, humidity: 61.5 %}
  water: {type: ds18b20, pin: 3, temperature: 18.25 C}
"""
    status, said, report = run(tmp_path, "wires", WIRES, scenario, "2500ms", *on(board))
    assert status == 0, said
    assert said.split("\n")[:3] == ["1 615 -42", "1", str(18 * 16 + 4)], said
    assert report["parts"]["air"]["short_starts"] == 0
    assert report["parts"]["water"]["conversions"] == 1


LIGHTS = """
// 0.4 us and 0.8 us in instructions of an ATmega328P at 16 MHz (62.5 ns each), the port in a register.
static void send(byte value) {
  const byte on = PORTD | 0x40, off = on & ~0x40;
  for (byte bit = 0; bit < 8; bit++, value <<= 1) {
    if (value & 0x80)
      asm volatile("out %0, %1\\n .rept 12\\n nop\\n .endr\\n out %0, %2"
                   :: "I"(_SFR_IO_ADDR(PORTD)), "r"(on), "r"(off));
    else
      asm volatile("out %0, %1\\n .rept 5\\n nop\\n .endr\\n out %0, %2\\n .rept 6\\n nop\\n .endr"
                   :: "I"(_SFR_IO_ADDR(PORTD)), "r"(on), "r"(off));
  }
}
void setup() {
  pinMode(6, OUTPUT);
  noInterrupts();
  const byte colours[] = {0, 255, 0, 64, 0, 1};  // green, red, blue of two lights
  for (byte each : colours) send(each);
  interrupts();
}
void loop() {}
"""


def test_lights_whose_bits_are_cycles_on_the_uno(tmp_path: Path) -> None:
    scenario = "parts:\n  strip: {type: ws2812, pin: 6, lights: 2}\n"
    status, said, report = run(tmp_path, "lights", LIGHTS, scenario, "10ms", *on("uno"))
    assert status == 0, said
    strip = report["parts"]["strip"]
    assert strip["colours"] == "ff0000 004001"
    assert (strip["bits"], strip["bad_pulses"], strip["frames"]) == (48, 0, 1)


def test_on_the_uno_a_pulled_up_input_stays_as_it_is(tmp_path: Path) -> None:
    """simavr alone makes it high whenever anything is written to its port."""
    sketch = """
    void setup() {
      Serial.begin(115200);
      pinMode(8, INPUT_PULLUP);
      pinMode(13, OUTPUT);
      delay(100);
      for (int i = 0; i < 4; i++) {
        PORTB = PORTB;
        Serial.print(digitalRead(8));
        digitalWrite(13, i & 1);
        Serial.print(digitalRead(8));
      }
      pinMode(8, OUTPUT);
      delay(100);  // the button has been released
      digitalWrite(8, LOW);
      pinMode(8, INPUT_PULLUP);
      Serial.println(digitalRead(8));
    }
    void loop() {}
    """
    scenario = "parts:\n  b: {type: button, pin: 8, pressed: [{at: 50 ms, for: 100 ms}]}\n"
    status, said, _ = run(tmp_path, "held", sketch, scenario, "300ms", *on("uno"))
    assert status == 0, said
    assert said.startswith("000000001"), said


# A GPS module that talks, and a modem that answers, at SoftwareSerial: on the Uno Arduino's own.
MODULES = """
#include <SoftwareSerial.h>
SoftwareSerial gps(4, 3), modem(8, 9);

void setup() {
  Serial.begin(115200);
  modem.begin(9600);
  modem.print("AT\\r");
  unsigned long from = millis();
  while (millis() - from < 60) {
    while (modem.available()) Serial.write(modem.read());
  }
  gps.begin(9600);
  Serial.println(gps.isListening() * 10 + modem.isListening());
}
void loop() {
  if (gps.available()) Serial.write(gps.read());
}
"""
MODULES_SCENARIO = """
parts:
  modem:
    type: serial_pins
    rx: 9
    tx: 8
    baud: 9600
    expect: ["AT"]
    send: [{after: "AT\\r", wait: 2 ms, text: "OK\\n"}]
  gps: {type: serial_pins, tx: 4, baud: 9600, send: [{at: 100 ms, text: "$GPGLL,4717.113,N*32\\n"}]}
"""


@pytest.mark.parametrize("board", except_virt(["sim", "virt", "uno"]))
def test_serial_lines_at_any_two_pins(tmp_path: Path, board: str) -> None:
    status, said, report = run(tmp_path, "modules", MODULES, MODULES_SCENARIO, "150ms", *on(board))
    assert status == 0, said
    assert said.split()[:3] == ["OK", "10", "$GPGLL,4717.113,N*32"], said
    modem = report["parts"]["modem"]
    assert (modem["all_seen"], modem["broken_bytes"]) == (True, 0)


# Frames as of Modbus or Firmata: bytes that are no text.
FRAMES = """
#include <SoftwareSerial.h>
SoftwareSerial meter(8, 9);
void setup() {
  Serial.begin(115200);
  meter.begin(9600);
  meter.write('?');
}
void loop() {
  if (Serial.available()) Serial.println(Serial.read(), HEX);
  if (meter.available()) Serial.println(meter.read() + 0x1000, HEX);
}
"""
FRAMES_SCENARIO = """
parts:
  computer: {type: serial, port: 0, send: [{at: 50 ms, hex: "F000ff0a"}]}
  meter: {type: serial_pins, rx: 9, tx: 8, baud: 9600, send: [{after: "?", wait: 2 ms, hex: "8000"}]}
"""


@one_in(5)
@pytest.mark.parametrize("board", ["sim", "virt", "uno"])
def test_bytes_that_are_no_text_come_in(tmp_path: Path, board: str) -> None:
    status, said, report = run(tmp_path, "frames", FRAMES, FRAMES_SCENARIO, "100ms", *on(board))
    assert status == 0, said
    assert said.split()[:6] == ["1080", "1000", "F0", "0", "FF", "A"], said
    assert report["parts"]["computer"]["bytes_sent"] == 4
