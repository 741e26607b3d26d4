"""A device that holds a line of the I2C bus or stretches the clock: what the sketch's calls answer, how long
they take, and that the loops beside it keep their time."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import except_virt
from tests.interrupts import loop, on, run

BOARDS = except_virt(["sim", "virt", "uno"])

CALLS = """
#include <Wire.h>
byte probe() { Wire.beginTransmission(0x48); Wire.write(1); return Wire.endTransmission(); }
void tell(unsigned long at) {
  while (millis() < at) delay(1);
  unsigned long begin = micros();
  byte end = probe();
  unsigned long took = micros() - begin;
  Serial.print(end); Serial.print(' ');
  Serial.print(Wire.getWireTimeoutFlag()); Serial.print(' ');
  Serial.println(took);
  Wire.clearWireTimeoutFlag();
}
void setup() {
  Serial.begin(115200);
  Wire.begin();
  Wire.setWireTimeout(8000, true);
  tell(10);   // free
  tell(51);   // SDA is released 4 ms later
  tell(101);  // SDA stays low for longer than 8 ms
  tell(131);  // free again
  tell(151);  // SCL for good
}
void loop() {}
"""
HELD = """
parts:
  sensor:
    type: i2c_registers
    address: 0x48
    holds:
      - {line: sda, at: 50 ms, for: 5 ms}
      - {line: sda, at: 100 ms, for: 25 ms}
      - {line: scl, at: 150 ms}
"""


@pytest.mark.parametrize("board", BOARDS)
def test_a_line_that_is_held_low(tmp_path: Path, board: str) -> None:
    status, said, _ = run(tmp_path, "held", CALLS, HELD, "180ms", *on(board))
    assert status == 0, said
    free, waits, given_up, again, stuck = (
        tuple(map(int, line.split())) for line in said.split("\n")[:5]
    )
    assert free[:2] == again[:2] == waits[:2] == (0, 0), said
    assert given_up[:2] == stuck[:2] == (5, 1), said
    # Two bytes at 100 kHz take 0.2 ms; a transfer that is given up takes at most twice the time for it.
    assert 180 <= free[2] <= 700 and 180 <= again[2] <= 700, said
    assert 2_900 <= waits[2] <= 5_500, said
    assert 8_000 <= given_up[2] <= 16_500 and 8_000 <= stuck[2] <= 16_500, said


STRETCHES = """
#include <Wire.h>
void setup() {
  Serial.begin(115200);
  Wire.begin();
  unsigned long begin = micros();
  Wire.beginTransmission(0x48);
  for (byte i = 0; i < 9; i++) Wire.write(i);
  byte end = Wire.endTransmission();
  unsigned long took = micros() - begin;
  Serial.print(end); Serial.print(' '); Serial.println(took);
}
void loop() {}
"""


@pytest.mark.parametrize("board", BOARDS)
def test_a_clock_that_is_stretched(tmp_path: Path, board: str) -> None:
    scenario = "parts:\n  sensor: {type: i2c_registers, address: 0x48, stretch: 400 us}\n"
    status, said, _ = run(tmp_path, "stretches", STRETCHES, scenario, "50ms", *on(board))
    assert status == 0, said
    end, took = map(int, said.split("\n")[0].split())
    assert end == 0
    assert 4_900 <= took <= 6_000, said  # ten bytes of 0.09 ms and 0.4 ms each


# Loop 1 asks for a bus that hangs, again and again; loop 2 guards.
HANGS = """
#include <Wire.h>
unsigned asked, timed_out;
void setup() { Wire.begin(); }
void loop(1, 10, 50) {
  Wire.beginTransmission(0x48);
  for (byte i = 0; i < 20; i++) Wire.write(i);
  asked++;
  if (Wire.endTransmission() == 5) timed_out++;
  delay(1);
}
void loop(2, 8, 20) {
  unsigned long from = micros();
  while (micros() - from < 5000) {}  // of its 8 ms
  digitalWrite(8, !digitalRead(8));
  delay(13);
}
void loop(3, 10, 1000) {
  delay(950);
  Serial.begin(115200);
  Serial.print(asked); Serial.print(' '); Serial.println(timed_out);
}
"""
HANGING = """
parts:
  sensor: {type: i2c_registers, address: 0x48, holds: [{line: scl, at: 100 ms}]}
"""


@pytest.mark.parametrize("board", BOARDS)
def test_loops_beside_a_bus_that_hangs_keep_their_time(tmp_path: Path, board: str) -> None:
    status, said, report = run(tmp_path, "hangs", HANGS, HANGING, "1s", *on(board))
    assert status == 0, said
    asked, timed_out = map(int, said.split("\n")[0].split())
    assert asked > timed_out >= 10, said
    guard = loop(report, 2)
    assert guard["deadline_misses"] == 0, guard
    assert guard["iterations"] >= 45, guard
