"""The parts of an Arduino kit: sounds, lights, motors, sensors and displays. Each is used as its data sheet
says by a sketch of its own, with the same outcome on every board."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import except_virt
from tests.interrupts import on, run

BOARDS = except_virt(["sim", "virt", "uno"])

MOVES = """
// Half steps of four coils, IN1 in the lowest bit.
const byte COILS[] = {1, 3, 2, 6, 4, 12, 8, 9};
void coils(int phase) {
  for (int i = 0; i < 4; i++) digitalWrite(A0 + i, COILS[phase & 7] >> i & 1);
}
void steps(int n, bool back, unsigned us) {
  digitalWrite(4, back);
  delayMicroseconds(5);
  while (n--) {
    digitalWrite(3, HIGH);
    delayMicroseconds(5);
    digitalWrite(3, LOW);
    delayMicroseconds(us - 5);
  }
}
void setup() {
  Serial.begin(115200);
  for (int pin = 3; pin <= 13; pin++) pinMode(pin, OUTPUT);
  for (int pin = A0; pin <= A3; pin++) pinMode(pin, OUTPUT);
  pinMode(2, INPUT_PULLUP);
  tone(8, 440, 200);
  delay(300);
  tone(8, 880);
  delay(100);
  noTone(8);
  digitalWrite(7, HIGH);  // the relay
  delay(5);
  Serial.print(digitalRead(2));
  delay(10);
  Serial.print(digitalRead(2));
  digitalWrite(7, LOW);
  delay(10);
  Serial.println(digitalRead(2));
  analogWrite(5, 64);
  digitalWrite(6, HIGH);
  steps(200, false, 2000);
  steps(50, true, 2000);
  steps(100, false, 100);  // far faster than it can start
  for (int i = 1; i <= 64; i++) { coils(i); delay(2); }
  for (int i = 63; i >= 40; i--) { coils(i); delay(2); }
  digitalWrite(12, HIGH);  // the motor
  digitalWrite(11, HIGH);
  delay(400);
  Serial.println("done");
}
void loop() {}
"""
MOVED = """
parts:
  horn: {type: buzzer, pin: 8}
  switch: {type: relay, pin: 7, contact: 2}
  light: {type: rgb_led, red: 5, green: 6, blue: 9}
  axis: {type: a4988, step: 3, dir: 4, microsteps: 2, start_rate: 600 Hz}
  valve: {type: uln2003, inputs: [A0, A1, A2, A3]}
  wheel: {type: dc_motor, forward: 12, backward: 13, enable: 11, full_speed: 120 rpm}
expect:
  - {part: switch, is: closed, by: 420 ms}
  - {part: horn, frequency: 440 Hz ± 1 %, at: 0.1 s}
  - {part: axis, position: 200, by: 1 s}
  - {part: wheel, speed: above 119 rpm, by: 1.9 s}
  - {part: light, red: 25 % ± 1 %, green: 100 %, blue: 0 %}
  - {part: light, red: 25 % ± 1 %, at: 1.9 s}
  - {part: axis, missed_steps: 99}
"""


@pytest.mark.parametrize("board", BOARDS)
def test_sounds_lights_and_motors(tmp_path: Path, board: str) -> None:
    status, said, report = run(tmp_path, "moves", MOVES, MOVED, "2s", *on(board))
    assert status == 0, said
    assert said.split()[:2] == ["101", "done"], said
    parts = report["parts"]
    assert parts["light"]["colour"] in ("40ff00", "41ff00")  # an Uno's timer counts one more
    assert parts["horn"]["notes"] == 2
    assert parts["horn"]["heard"].startswith("440 Hz 200 ms, 880 Hz "), parts["horn"]
    assert (parts["switch"]["switches"], parts["switch"]["closed_at_end"]) == (2, False)
    axis = parts["axis"]
    assert (axis["steps"], axis["asked_position"], axis["position"]) == (350, 250, 151)
    assert (axis["short_pulses"], axis["late_directions"]) == (0, 0)
    assert axis["angle_deg"] == pytest.approx(151 * 0.9)
    valve = parts["valve"]
    assert (valve["position"], valve["steps"], valve["missed_steps"]) == (40, 88, 0)
    wheel = parts["wheel"]
    assert wheel["turns"] == pytest.approx(2 * (wheel["driven_us"] / 1e6 - 0.05), abs=0.01)


SENSES = """
unsigned long nec() {  // 32 bits, or 0
  if (pulseIn(4, HIGH, 1000000) < 4000) return 0;  // the leader's pause
  unsigned long value = 0;
  for (byte bit = 0; bit < 32; bit++) {
    unsigned long length = pulseIn(4, HIGH, 5000);
    if (length == 0) return 0;
    if (length > 1000) value |= 1UL << bit;
  }
  return value;
}
long weight() {
  while (digitalRead(5) == HIGH) delay(1);
  unsigned long value = 0;
  for (byte bit = 0; bit < 25; bit++) {
    digitalWrite(6, HIGH);
    delayMicroseconds(2);
    if (bit < 24) value = value << 1 | digitalRead(5);
    digitalWrite(6, LOW);
    delayMicroseconds(2);
  }
  return value & 0x800000 ? (long)value - 0x1000000 : (long)value;
}
void setup() {
  Serial.begin(115200);
  pinMode(6, OUTPUT);
  for (byte i = 0; i < 6; i++) {
    Serial.print(analogRead(A0 + i));
    Serial.print(' ');
  }
  Serial.println(weight());
  int position = 0;
  byte before = digitalRead(2) << 1 | digitalRead(3);
  while (millis() < 900) {  // counts quarters of the encoder
    byte now = digitalRead(2) << 1 | digitalRead(3);
    if (now == before) continue;
    // 11 01 00 10 is clockwise: clk closes first.
    static const byte NEXT[] = {2, 0, 3, 1};
    position += NEXT[before] == now ? 1 : -1;
    before = now;
  }
  Serial.println(position);
  Serial.println(nec(), HEX);
}
void loop() {}
"""
SENSED = """
parts:
  light: {type: ldr, pin: A0, light: 100 lx}
  outside: {type: tmp36, pin: A1, temperature: 25 C}
  inside: {type: lm35, pin: A2, temperature: 31.5 C}
  oven: {type: ntc, pin: A3, temperature: 25 C}
  air: {type: mq2, pin: A4, gas: 1000 ppm}
  flower: {type: soil_sensor, pin: A5, moisture: 50 %}
  scale: {type: hx711, dout: 5, sck: 6, load: -250 g}
  knob:
    type: rotary_encoder
    clk: 2
    dt: 3
    turns: [{at: 550 ms, detents: 4, for: 80 ms}, {at: 700 ms, detents: -1}]
  remote: {type: ir_receiver, pin: 4, address: 0x10, pressed: [{at: 1 s, command: 0x45, for: 150 ms}]}
"""


@pytest.mark.parametrize("board", BOARDS)
def test_sensors_knobs_and_a_remote(tmp_path: Path, board: str) -> None:
    status, said, report = run(tmp_path, "senses", SENSES, SENSED, "1200ms", *on(board))
    assert status == 0, said
    lines = said.split("\n")
    *levels, load = map(int, lines[0].split())
    # In steps of 5 V / 1024, from the curves of the data sheets.
    volts = [5 * 10 / 12.993, 0.75, 0.315, 2.5, 5 * 5 / 12.6, 2.54 - 0.635]
    assert levels == pytest.approx([each * 1024 / 5 for each in volts], abs=1.5)
    assert load == -105_000
    assert int(lines[1]) == 12
    assert lines[2] == "BA45EF10", said
    parts = report["parts"]
    assert (parts["knob"]["position"], parts["knob"]["detents"]) == (3, 5)
    assert (parts["scale"]["reads"], parts["scale"]["broken_reads"]) == (1, 0)
    assert (parts["remote"]["frames"], parts["remote"]["repeats"]) == (1, 1)


SHOWS = """
#include <SPI.h>
const byte CLK = 2, DIO = 3;
const byte DIGITS[] = {0x06, 0x5b | 0x80, 0x4f, 0x66};
void half() { delayMicroseconds(5); }
void line(byte pin, bool high) {  // open, with a pull-up, or low
  pinMode(pin, high ? INPUT : OUTPUT);
  half();
}
byte answers = 0;
void send(byte value) {
  for (byte i = 0; i < 8; i++, value >>= 1) {
    line(CLK, false);
    line(DIO, value & 1);
    line(CLK, true);
  }
  line(CLK, false);
  line(DIO, true);
  line(CLK, true);
  answers += digitalRead(DIO) == LOW;
  line(CLK, false);
}
void begin() { line(DIO, false); }
void end() { line(DIO, false); line(CLK, true); line(DIO, true); }
void command(byte value) { begin(); send(value); end(); }

void digits(byte number, byte value) {
  digitalWrite(6, LOW);
  shiftOut(4, 5, MSBFIRST, number);
  shiftOut(4, 5, MSBFIRST, value);
  digitalWrite(6, HIGH);
}
void points(byte number, byte first, byte second) {  // two modules; the last one's come first
  SPI.beginTransaction(SPISettings(1000000, MSBFIRST, SPI_MODE0));
  digitalWrite(10, LOW);
  SPI.transfer(number);
  SPI.transfer(second);
  SPI.transfer(number);
  SPI.transfer(first);
  digitalWrite(10, HIGH);
  SPI.endTransaction();
}
void setup() {
  Serial.begin(115200);
  digitalWrite(CLK, LOW);
  digitalWrite(DIO, LOW);
  command(0x40);
  begin();
  send(0xc0);
  for (byte i = 0; i < 4; i++) send(DIGITS[i]);
  end();
  command(0x8c);
  Serial.println(answers);
  for (byte pin = 4; pin <= 6; pin++) pinMode(pin, OUTPUT);
  digitalWrite(6, HIGH);
  digits(12, 1);
  digits(11, 7);
  digits(9, 0xff);   // code B
  digits(10, 3);
  for (byte i = 1; i <= 8; i++) digits(i, i == 3 ? 0x80 | i : i);
  pinMode(10, OUTPUT);
  digitalWrite(10, HIGH);
  SPI.begin();
  points(12, 1, 1);
  points(11, 7, 7);
  for (byte row = 1; row <= 8; row++) points(row, 0x80 >> (row - 1), row == 1 ? 0xff : 0);
}
void loop() {}
"""
SHOWN = """
parts:
  clock: {type: tm1637, clk: 2, dio: 3}
  number: {type: max7219, din: 4, clk: 5, cs: 6}
  matrix: {type: max7219, cs: 10, kind: matrix, modules: 2}
expect:
  - {part: clock, shows: "12:34", on: true, brightness: 4}
  - {part: number, shows: "876543.21", intensity: 3}
"""


@pytest.mark.parametrize("board", BOARDS)
def test_digits_and_points(tmp_path: Path, board: str) -> None:
    status, said, report = run(tmp_path, "shows", SHOWS, SHOWN, "50ms", *on(board))
    assert status == 0, said
    assert said.split()[0] == "7", said
    rows = report["parts"]["matrix"]["rows"]
    assert rows == ["80ff", *(f"{0x80 >> row:02x}00" for row in range(1, 8))]
    assert report["parts"]["matrix"]["shows"].startswith("#.......########\n.#......")
    assert report["parts"]["clock"]["broken_bytes"] == 0


SENDS = """
// 38 kHz while it is on, in the time of a NEC frame.
void light(unsigned us) {
  const unsigned long from = micros();
  while (micros() - from < us) {
    digitalWrite(3, HIGH);
    delayMicroseconds(9);
    digitalWrite(3, LOW);
    delayMicroseconds(PAUSE);
  }
}
void dark(unsigned us) { delayMicroseconds(us); }
void setup() {
  pinMode(3, OUTPUT);
  const unsigned long value = 0xf708ff00;  // address 0, command 8
  delay(10);
  light(9000);
  dark(4500);
  for (byte bit = 0; bit < 32; bit++) {
    light(560);
    dark(value >> bit & 1 ? 1690 : 560);
  }
  light(560);
  delay(40);
  light(9000);
  dark(2250);
  light(560);
}
void loop() {}
"""


@pytest.mark.parametrize(("board", "pause"), [("sim", 15), ("uno", 13)])
def test_an_infrared_light_is_understood(tmp_path: Path, board: str, pause: int) -> None:
    sketch = SENDS.replace("PAUSE", str(pause))
    scenario = "parts:\n  eye: {type: ir_led, pin: 3}\n"
    status, said, report = run(tmp_path, f"sends{pause}", sketch, scenario, "150ms", *on(board))
    assert status == 0, said
    eye = report["parts"]["eye"]
    assert (eye["sent"], eye["frames"], eye["repeats"], eye["broken_frames"]) == ("00:08", 1, 1, 0)
    assert 34_000 < eye["carrier_hz"] < 42_000
