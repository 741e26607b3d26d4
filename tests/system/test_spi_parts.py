"""Parts on the SPI bus: on the Uno at the processor's own interface, read by Arduino's own library."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import one_in
from tests.fat_image import SECTOR, fat16, files_of
from tests.interrupts import on, run

from hocket.builder.libraries import INSTALLED

# A driver of a card written from the SD specification, chapter 7.2.
SKETCH = """
#include <SPI.h>
const int CARD = 10, SENSOR = 9;
const SPISettings SETTINGS(4000000, MSBFIRST, SPI_MODE0);
byte buffer[512];

byte command(byte code, unsigned long argument, byte sum) {
  SPI.transfer(0xff);
  SPI.transfer(0x40 | code);
  for (int shift = 24; shift >= 0; shift -= 8) SPI.transfer(argument >> shift);
  SPI.transfer(sum);
  byte answer = 0xff;
  for (byte turn = 0; turn < 8 && answer == 0xff; turn++) answer = SPI.transfer(0xff);
  return answer;
}
bool begin() {
  for (byte turn = 0; turn < 10; turn++) SPI.transfer(0xff);
  digitalWrite(CARD, LOW);
  if (command(0, 0, 0x95) != 1 || command(8, 0x1aa, 0x87) != 1) return false;
  for (byte turn = 0; turn < 4; turn++) SPI.transfer(0xff);
  for (int turn = 0; turn < 1000; turn++) {
    command(55, 0, 1);
    if (command(41, 0x40000000, 1) == 0) return true;
    delay(1);
  }
  return false;
}
bool read(unsigned long block) {
  if (command(17, block, 1) != 0) return false;
  while (SPI.transfer(0xff) != 0xfe) {}
  for (int i = 0; i < 512; i++) buffer[i] = SPI.transfer(0xff);
  SPI.transfer16(0xffff);
  return true;
}
bool write(unsigned long block) {
  if (command(24, block, 1) != 0) return false;
  SPI.transfer(0xfe);
  for (int i = 0; i < 512; i++) SPI.transfer(buffer[i]);
  SPI.transfer16(0xffff);
  byte answer = 0xff;
  while (answer == 0xff) answer = SPI.transfer(0xff);
  while (SPI.transfer(0xff) == 0) {}
  return (answer & 0x1f) == 5;
}
void setup() {
  Serial.begin(115200);
  pinMode(CARD, OUTPUT);
  pinMode(SENSOR, OUTPUT);
  digitalWrite(CARD, HIGH);
  digitalWrite(SENSOR, HIGH);
  SPI.begin();
  SPI.beginTransaction(SETTINGS);
  digitalWrite(SENSOR, LOW);
  SPI.transfer(0x8f);
  Serial.println(SPI.transfer(0));
  digitalWrite(SENSOR, HIGH);
  Serial.println(begin());
  Serial.println(read(BLOCK));
  Serial.write(buffer, 5);
  buffer[0] = 'J';
  Serial.println(write(BLOCK));
  digitalWrite(CARD, HIGH);
  SPI.endTransaction();
}
void loop() { delay(1000); }
"""
SCENARIO = """
parts:
  sensor: {type: spi_registers, select: 9, registers: [{register: 15, is: 51}]}
  card: {type: sd_card, select: 10, image: card.img, saves: after.img}
"""


@one_in(4)
@pytest.mark.parametrize("board", ["sim", "virt", "uno"])
def test_a_sensor_and_a_card_share_the_bus(tmp_path: Path, board: str) -> None:
    if board == "uno" and not INSTALLED["avr"].is_dir():
        pytest.skip("Arduino's own libraries are not installed")
    image = fat16({"HELLO.TXT": b"hello, card"})
    (tmp_path / "card.img").write_bytes(image)
    block = image.index(b"hello, card") // SECTOR
    sketch = SKETCH.replace("BLOCK", str(block))
    status, said, report = run(tmp_path, "card", sketch, SCENARIO, "200ms", *on(board))
    assert status == 0, said
    assert said.split("\n")[:4] == ["51", "1", "1", "hello1"], said
    card = report["parts"]["card"]
    assert (card["blocks_read"], card["blocks_written"], card["refused"]) == (1, 1, 0)
    assert files_of((tmp_path / "after.img").read_bytes()) == {"HELLO.TXT": b"Jello, card"}
    assert (tmp_path / "card.img").read_bytes() == image
