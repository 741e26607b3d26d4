"""Sensors, a clock and a display on the I2C bus, each read by a small driver written from its data sheet."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from tests.campaign import except_virt
from tests.interrupts import on, run

SKETCH = """
#include <initializer_list>
#include <Wire.h>

// Small drivers of each device, written from its data sheet.

uint8_t reg(uint8_t address, uint8_t number) {
  Wire.beginTransmission(address);
  Wire.write(number);
  Wire.endTransmission(false);
  Wire.requestFrom(address, 1);
  return Wire.read();
}
uint16_t unsigned16(uint8_t number) { return reg(0x76, number) | reg(0x76, number + 1) << 8; }
int16_t signed16(uint8_t number) { return (int16_t)unsigned16(number); }

void put(uint8_t address, uint8_t number, uint8_t value) {
  Wire.beginTransmission(address);
  Wire.write(number);
  Wire.write(value);
  Wire.endTransmission();
}

void command(uint8_t code) {
  Wire.beginTransmission(0x3c);
  Wire.write(0x80);
  Wire.write(code);
  Wire.endTransmission();
}

// The formulas in floating point (BMP280 data sheet, 8.1; BME280's for humidity), not those in whole
// numbers by which the simulated device finds its raw values.
void air() {
  const uint8_t A = 0x76;
  put(A, 0xf2, 1);
  put(A, 0xf4, 0x25);
  while (reg(A, 0xf3) & 8) delay(1);
  Wire.beginTransmission(A);
  Wire.write(0xf7);
  Wire.endTransmission(false);
  Wire.requestFrom(A, 8);
  uint8_t d[8];
  for (auto& b : d) b = Wire.read();
  double ap = d[0] << 12 | d[1] << 4 | d[2] >> 4;
  double at = d[3] << 12 | d[4] << 4 | d[5] >> 4;
  double ah = d[6] << 8 | d[7];
  double v1 = (at / 16384.0 - unsigned16(0x88) / 1024.0) * signed16(0x8a);
  double v2 = at / 131072.0 - unsigned16(0x88) / 8192.0;
  double fine = v1 + v2 * v2 * signed16(0x8c);
  Serial.print(fine / 5120.0, 2);
  v1 = fine / 2 - 64000;
  v2 = v1 * v1 * signed16(0x98) / 32768.0;
  v2 += v1 * signed16(0x96) * 2.0;
  v2 = v2 / 4 + signed16(0x94) * 65536.0;
  v1 = (signed16(0x92) * v1 * v1 / 524288.0 + signed16(0x90) * v1) / 524288.0;
  v1 = (1.0 + v1 / 32768.0) * unsigned16(0x8e);
  double p = (1048576.0 - ap - v2 / 4096.0) * 6250.0 / v1;
  v1 = signed16(0x9e) * p * p / 2147483648.0;
  v2 = p * signed16(0x9c) / 32768.0;
  p += (v1 + v2 + signed16(0x9a)) / 16.0;
  Serial.print(' ');
  Serial.print(p / 100, 2);
  int h4 = (int8_t)reg(A, 0xe4) * 16 | (reg(A, 0xe5) & 15);
  int h5 = (int8_t)reg(A, 0xe6) * 16 | reg(A, 0xe5) >> 4;
  double h = fine - 76800.0;
  h = (ah - (h4 * 64.0 + h5 / 16384.0 * h)) *
      (signed16(0xe1) / 65536.0 *
       (1.0 + (int8_t)reg(A, 0xe7) / 67108864.0 * h * (1.0 + reg(A, 0xe3) / 67108864.0 * h)));
  h *= 1.0 - reg(A, 0xa1) * h / 524288.0;
  Serial.print(' ');
  Serial.println(h, 1);
}

void motion() {
  Serial.println(reg(0x69, 0x75), HEX);
  for (int awake = 0; awake < 2; awake++) {
    Wire.beginTransmission(0x69);
    Wire.write(0x3b);
    Wire.endTransmission(false);
    Wire.requestFrom(0x69, 14);
    for (int i = 0; i < 7; i++) {
      int16_t v = Wire.read() << 8;
      v |= Wire.read();
      Serial.print(v);
      Serial.print(' ');
    }
    Serial.println();
    put(0x69, 0x6b, 0);
  }
}

void clock_() {
  Wire.beginTransmission(0x68);
  Wire.write(0);
  Wire.endTransmission();
  Wire.requestFrom(0x68, 7);
  while (Wire.available()) {
    Serial.print(Wire.read(), HEX);
    Serial.print(' ');
  }
  Serial.println();
}

void display() {
  for (uint8_t c : {0xae, 0x20, 0x00, 0xa1, 0xc8, 0xaf, 0x21, 0, 127, 0x22, 0, 7}) command(c);
  Wire.beginTransmission(0x3c);
  Wire.write(0x40);
  for (int i = 0; i < 16; i++) Wire.write(0x81);  // the first and the last row of the page
  Wire.endTransmission();
}

void setup() {
  Serial.begin(115200);
  Wire.begin();
  Serial.println(reg(0x76, 0xd0), HEX);
  air();
  motion();
  display();
  delay(3000 - millis());
  clock_();
  Wire.beginTransmission(0x68);
  Wire.write(0);
  for (uint8_t b : {0x59, 0x59, 0x23, 0x04, 0x31, 0x12, 0x26}) Wire.write(b);
  Wire.endTransmission();
  delay(2000);
  clock_();
  air();
}
void loop() { delay(1000); }
"""
SCENARIO = """
parts:
  air:
    type: bme280
    temperature: [{at: 0 s, is: 21.5 C}, {at: 4 s, is: -12.34 C}]
    humidity: [{at: 0 s, is: 45 %}, {at: 4 s, is: 81 %}]
    pressure: [{at: 0 s, is: 1013.25 hPa}, {at: 4 s, is: 655.4 hPa}]
  imu: {type: mpu6050, address: 0x69, acceleration: {x: 0.5 g}, rate: {z: -10 deg/s}, temperature: 36.53 C}
  clock: {type: ds3231, time: "2028-02-28 23:59:58"}
  display: {type: ssd1306, picture: shown.png}
"""


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_what_drivers_read_is_what_the_scenario_says(tmp_path: Path, board: str) -> None:
    status, said, report = run(tmp_path, "drivers", SKETCH, SCENARIO, "5500ms", *on(board))
    assert status == 0, said
    lines = [line.strip() for line in said.split("\n")[:8]]
    assert lines[0] == "60"
    first = [float(word) for word in lines[1].split()]
    # A few ms after the start of the way from 21.5 degrees to -12.34.
    assert first == pytest.approx([21.5, 1013.25, 45], abs=1.5)
    assert lines[2] == "68"
    assert lines[3] == "0 0 0 0 0 0 0"  # asleep
    assert lines[4] == "8192 0 16384 0 0 0 -1310"
    assert lines[5] == "1 0 0 2 29 2 28"  # Tuesday, in a leap year
    assert lines[6] == "1 0 0 5 1 1 27"
    assert [float(word) for word in lines[7].split()] == pytest.approx(
        [-12.34, 655.4, 81], abs=0.06
    )
    assert report["parts"]["clock"]["was_set"] is True


def test_the_picture_of_a_display_is_a_file_and_facts(tmp_path: Path) -> None:
    _, said, report = run(tmp_path, "drivers", SKETCH, SCENARIO, "500ms", *on("sim"))
    display = report["parts"]["display"]
    assert (display["on"], display["lit"]) == (True, 32), said
    lit = "ffff" + "0" * 28
    assert display["rows"] == [lit if y in (0, 7) else "0" * 32 for y in range(64)]
    data = (tmp_path / "shown.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    begin = data.index(b"IDAT")
    size = int.from_bytes(data[begin - 4 : begin], "big")
    assert int.from_bytes(data[begin + 4 + size : begin + 8 + size], "big") == zlib.crc32(
        data[begin : begin + 4 + size]
    )
    lines = zlib.decompress(data[begin + 4 : begin + 4 + size])
    assert lines == b"".join(b"\0" + bytes.fromhex(row) for row in display["rows"])


def test_a_picture_in_netpbm(tmp_path: Path) -> None:
    scenario = SCENARIO.replace("shown.png", "shown.pbm")
    _, _, report = run(tmp_path, "drivers", SKETCH, scenario, "500ms", *on("sim"))
    data = (tmp_path / "shown.pbm").read_bytes()
    assert data.startswith(b"P4\n128 64\n")
    rows = b"".join(bytes.fromhex(row) for row in report["parts"]["display"]["rows"])
    assert data[len(b"P4\n128 64\n") :] == bytes(255 - byte for byte in rows)
