"""The parts of the I2C bus at the Uno's own two-wire interface, read by Wire of the box."""

from __future__ import annotations

from pathlib import Path

from tests.interrupts import on, run

SKETCH = """
#include <Wire.h>
void setup() {
  Serial.begin(115200);
  Wire.begin();
  Wire.beginTransmission(0x48);
  Wire.write(2);
  Serial.println(Wire.endTransmission(false));
  Serial.println(Wire.requestFrom(0x48, 2));
  Serial.println(Wire.read());
  Serial.println(Wire.read());
  Wire.beginTransmission(0x48);
  Wire.write(7); Wire.write(55);
  Serial.println(Wire.endTransmission());
  Wire.beginTransmission(0x49);
  Serial.println(Wire.endTransmission() != 0);
  Wire.beginTransmission(0x50);
  Wire.write(0); Wire.write(16);
  for (int i = 0; i < 8; i++) Wire.write(i);
  Wire.endTransmission();
  unsigned long begin = millis();
  do Wire.beginTransmission(0x50); while (Wire.endTransmission() != 0);
  Serial.println(millis() - begin);
  Wire.beginTransmission(0x50);
  Wire.write(0); Wire.write(18);
  Wire.endTransmission();
  Wire.requestFrom(0x50, 3);
  while (Wire.available()) Serial.println(Wire.read());
}
void loop() {}
"""
SCENARIO = """
parts:
  sensor: {type: i2c_registers, address: 0x48, registers: [{register: 2, is: 18}, {register: 3, is: 52}]}
  memory: {type: eeprom_24c}
"""


def test_wire_speaks_with_the_parts(tmp_path: Path) -> None:
    status, said, report = run(tmp_path, "wired", SKETCH, SCENARIO, "100ms", *on("uno"))
    assert status == 0, said
    lines = [int(line) for line in said.split("\n")[:10]]
    assert lines[:6] == [0, 2, 18, 52, 0, 1]
    assert 4 <= lines[6] <= 6  # a page takes 5 ms to store
    assert lines[7:] == [2, 3, 4]
    assert report["parts"]["sensor"]["registers"]["2"] == 18
    assert report["parts"]["memory"]["used_bytes"] == 8


DEVICE_TOO = """
#include <Wire.h>
void setup() {
  Serial.begin(115200);
  Wire.begin(0x10);
  Wire.beginTransmission(0x48);
  Wire.write(2);
  Serial.println(Wire.endTransmission(false));
  Serial.println(TWCR & (1 << TWIE));
  Serial.println(Wire.requestFrom(0x48, 2));
  Serial.println(TWCR & (1 << TWIE));
}
void loop() {}
"""


def test_a_board_that_is_a_device_may_keep_the_bus(tmp_path: Path) -> None:
    """While it is kept nothing calls the interrupt, which would come without end: its flag stands."""
    status, said, _ = run(tmp_path, "both", DEVICE_TOO, SCENARIO, "100ms", *on("uno"))
    assert status == 0, said
    assert said.split("\n")[:4] == ["0", "0", "2", "1"]
