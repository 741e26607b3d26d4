"""Loops that share the Uno's buses: no transfer is mixed with another's, others keep their shares, nobody
waits for longer than the documents say, and a bus that is stuck keeps nobody for ever.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form, rounds
from tests.uno.conftest import Built, Run
from tests.uno.test_serial_account import declared, lengths

from hocket.uno_images import flash_and_ram

Broken = Callable[..., list[str]]

HEAD = """
#include <Hocket.h>
#include <Wire.h>
#include <SPI.h>
byte wrong[8];
unsigned rounds[8];  // each its loop's own, until the end
unsigned long longest;
"""
# Registers of its own for each loop: what it reads back is what it wrote, if nobody came between.
WIRE = """
void talk(byte who, byte size, byte seed) {
  const byte reg = 32 * who;
  Wire.beginTransmission(0x48);
  Wire.write(reg);
  for (byte i = 0; i < size; i++) Wire.write(byte(seed + i));
  const unsigned long begin = micros();
  bool right = Wire.endTransmission() == 0;
  const unsigned long took = micros() - begin;
  if (who == 1 && took > longest) longest = took;
  Wire.beginTransmission(0x48);
  Wire.write(reg);
  Wire.endTransmission(false);
  right &= Wire.requestFrom(0x48, size) == size;
  for (byte i = 0; i < size; i++) right &= Wire.read() == byte(seed + i);
  if (!right) wrong[who]++;
  rounds[who]++;
}
"""
SPI = """
void talk(byte who, byte size, byte seed) {
  const byte reg = 32 * who % 128;
  SPI.beginTransaction(SPISettings(1000000, MSBFIRST, SPI_MODE0));
  digitalWrite(10, LOW);
  SPI.transfer(reg);
  for (byte i = 0; i < size; i++) SPI.transfer(seed + i);
  digitalWrite(10, HIGH);
  digitalWrite(10, LOW);
  SPI.transfer(0x80 | reg);
  bool right = true;
  for (byte i = 0; i < size; i++) right &= SPI.transfer(0) == byte(seed + i);
  digitalWrite(10, HIGH);
  SPI.endTransaction();
  if (!right) wrong[who]++;
  rounds[who]++;
}
"""
BUSES = {
    "Wire": (WIRE, "parts:\n  device: {type: i2c_registers, address: 0x48}\n"),
    "SPI": (SPI, "parts:\n  device: {type: spi_registers, select: 10}\n"),
}
BEGIN = """
void setup() {
  Serial.begin(115200);
  Wire.begin();
  Wire.setClock(%d);
  SPI.begin();
  pinMode(10, OUTPUT);
  digitalWrite(10, HIGH);
}
"""
TELL = """
void loop(7, 10, 1000) {
  delay(900);
  for (int i = 1; i < 7; i++) {
    Serial.print(rounds[i]); Serial.print(' ');
    Serial.print(wrong[i]); Serial.print(' ');
  }
  Serial.println(longest);
}
"""


def folder_of(folder: Path, text: str, scenario: str = "") -> Path:
    folder.mkdir()
    (folder / f"{folder.name}.ino").write_text(text)
    if scenario:
        (folder / "scenario.yaml").write_text(scenario)
    return folder


@pytest.mark.parametrize("bus", BUSES)
@pytest.mark.parametrize("number", range(rounds(1, 40, "HOCKET_BUS_SETS")))
def test_random_loops_on_one_bus(
    uno: Run, broken: Broken, tmp_path: Path, bus: str, number: int
) -> None:
    chance = random.Random(f"{bus} {number}")
    code, scenario = BUSES[bus]
    hertz = chance.choice((100_000, 400_000))
    text = HEAD + code + BEGIN % hertz
    users = chance.randint(2, 3)  # with a fourth the stacks leave no memory for what Wire keeps
    sizes = [chance.randint(1, 20) for _ in range(users)]
    for loop, size in enumerate(sizes, 1):
        budget, period = chance.randint(3, 4), chance.choice((50, 80, 100))
        pause = f"delay({chance.randint(1, 9)});" if chance.random() < 0.7 else ""
        if loop == 1:  # before all others, and never out of budget: it waits for the bus alone
            budget, period, pause = 8, 20, "delay(12);"
        text += (
            f"void loop({loop}, {budget}, {period}) {{ talk({loop}, {size}, micros()); {pause} }}\n"
        )
    text += "void loop(5, 10, 100) { rounds[5]++; }\n" + TELL
    done = uno(folder_of(tmp_path / "shared", text, scenario), "1900ms")
    assert done.status == 0, done.said
    counts = [int(word) for word in done.serial.splitlines()[0].split()]
    turns, mixed, longest = counts[0:12:2], counts[1:12:2], counts[12]
    assert all(turn >= 5 for turn in turns[:users]), (turns, text)
    assert mixed == [0] * 6
    (wait,) = done.report["bus_waits"]
    assert wait["bus"] == bus
    assert broken(done.report, always={5}) == []
    if bus == "Wire":
        # Its own, and one of each other: 9 clocks a byte and 6 us; the switches come on top.
        assert done.report["loops"][0]["budget_exhausted"] == 0
        byte = 9e6 / hertz + 15
        bound = byte * sum(2 * (size + 5) for size in sizes)
        assert longest <= wait["call_us"] and wait["hertz"] == hertz
        assert longest <= bound + 3 * done.report["overheads"]["context_switch_us"]
        device = done.report["parts"]["device"]
        assert device["bytes_read"] >= sum(
            turn * size for turn, size in zip(turns, sizes, strict=False)
        )


@long_form
def test_steps_take_no_longer_than_is_paid_for(uno: Run, tmp_path: Path) -> None:
    """Transfers of all kinds, out of loops, out of idle time and out of the kernel; and nobody there."""
    text = HEAD + WIRE + BEGIN % 400_000
    text += """
    void loop(1, 4, 20) { talk(1, 1, 7); delay(1); }
    void loop(2, 20, 100) { talk(2, 20, 9); Wire.beginTransmission(0x49); Wire.endTransmission(); }
    void loop(3, 20, 100) { rounds[3]++; }
    """
    log = tmp_path / "log.hklog"
    done = uno(folder_of(tmp_path / "steps", text, BUSES["Wire"][1]), "500ms", "--trace", log)
    assert done.status == 0, done.said
    taken = lengths(log)["TWI"]
    assert len(taken) > 1_000
    one = declared("kDeviceTicks") * 8
    counted = [each for each in taken if each <= 160]
    assert max(counted) <= 2 * one  # the end counts twice
    assert sum(each > one for each in counted) < len(counted) / 3
    assert max(taken) <= declared("kLongestWireStep") * 8


STUCK = """
#include <Wire.h>
byte status[2];
unsigned long took;
void setup() { Serial.begin(115200); Wire.begin(); }
byte probe() { Wire.beginTransmission(0x48); Wire.write(1); return Wire.endTransmission(); }
"""
# Nobody hears the interface's interrupt any more, as if the clock line were held low.
SABOTAGE = "TWCR = 1 << TWEN;"


def test_a_stuck_bus_is_given_up(uno: Run, tmp_path: Path) -> None:
    text = STUCK + (
        """
    void loop() {
      noInterrupts();
      status[0] = probe();
      interrupts();
      status[1] = probe();
      Serial.print(status[0]); Serial.print(' '); Serial.print(status[1]); Serial.print(' ');
      Serial.println(Wire.getWireTimeoutFlag());
      delay(100);
    }
    """
    )
    done = uno(folder_of(tmp_path / "stuck", text, BUSES["Wire"][1]), "90ms")
    assert done.serial.splitlines()[:1] == ["5 0 1"], done.said


@long_form
def test_a_stuck_bus_keeps_no_loop(uno: Run, broken: Broken, tmp_path: Path) -> None:
    text = (
        STUCK
        + f"""
    void loop(1, 5, 50) {{
      delay(3);  // meanwhile the other has begun
      const unsigned long begin = millis();
      Wire.beginTransmission(0x48);
      for (byte i = 0; i < 30; i++) Wire.write(i);
      status[0] = Wire.endTransmission();
      took = millis() - begin;
      status[1] = probe();
      Serial.print(status[0]); Serial.print(' '); Serial.print(status[1]); Serial.print(' ');
      Serial.println(took);
      delay(1000);
    }}
    void loop(2, 20, 100) {{
      const unsigned long begin = millis();
      while (millis() - begin < 10) {SABOTAGE}
      delay(1000);
    }}
    """
    )
    done = uno(folder_of(tmp_path / "stuck", text, BUSES["Wire"][1]), "300ms")
    assert done.status == 0, done.said
    first, second, took = map(int, done.serial.splitlines()[0].split())
    assert (first, second) == (5, 0)
    assert 25 <= took <= 2 * 25 + 2  # it looks again when it has waited as long as before
    assert broken(done.report) == []


@long_form
def test_the_loop_with_the_highest_number_shares_spi_too(uno: Run, tmp_path: Path) -> None:
    """Whoever came between would take the end of its byte away, for which it waits."""
    code, scenario = BUSES["SPI"]
    text = HEAD + code + BEGIN % 100_000
    text += """
    void loop(1, 3, 8) { talk(1, 4, 7); delay(6); }
    void loop(255, 12, 50) { talk(2, 20, 99); delay(3); }
    void loop(7, 5, 500) {
      delay(400);
      Serial.print(wrong[1]); Serial.print(' ');
      Serial.print(wrong[2]); Serial.print(' ');
      Serial.println(rounds[2]);
    }
    """
    done = uno(folder_of(tmp_path / "highest", text, scenario), "450ms")
    assert done.status == 0, done.said
    *wrong, rounds_of_it = map(int, done.serial.split()[:3])
    assert wrong == [0, 0] and rounds_of_it > 10


def test_what_libraries_lean_on(built: Built, tmp_path: Path) -> None:
    text = """
    #include <Wire.h>
    extern "C" {
    #include "utility/twi.h"
    }
    byte buffer[BUFFER_LENGTH];
    void received(int n) { while (n--) buffer[0] = Wire.read(); }
    void requested() { Wire.write("x"); Wire.write(7); Wire.write(buffer, 3); }
    void setup() {
      Wire.begin(8);
      Wire.onReceive(received);
      Wire.onRequest(requested);
      Wire.setClock(400000L);
      Wire.setWireTimeout(3000, true);
      TwoWire* bus = &Wire;
      Stream& stream = Wire;
      bus->requestFrom(0x48, sizeof buffer);
      bus->requestFrom(uint8_t{0x48}, 2, true);
      bus->requestFrom(uint8_t{0x48}, uint8_t{2}, uint32_t{0x1234}, uint8_t{2}, uint8_t{1});
      while (stream.available()) stream.read();
      twi_init();
      twi_setAddress(9);
      twi_writeTo(0x48, buffer, 2, 1, 1);
      twi_readFrom(0x48, buffer, 2, 1);
      Wire.end();
    }
    void loop() {}
    """
    flash, _ = flash_and_ram(built(folder_of(tmp_path / "leans", text)))
    assert 1_000 < flash < 8_000


READS_A_REGISTER = """
#include <Wire.h>
void setup() { Wire.begin(); Serial.begin(9600); }
void loop() {
  Wire.beginTransmission(0x48);
  Wire.write(2);
  Wire.endTransmission(false);
  Wire.requestFrom(0x48, 2);
  int value = Wire.read() << 8;
  value |= Wire.read();
  Serial.println(value);
  delay(100);
}
"""


def test_a_plain_sketch_takes_less_than_with_arduinos_own(built: Built, tmp_path: Path) -> None:
    """Whose Wire takes 4,208 and 404 bytes for this one (arduino-core-avr 1.8.7)."""
    flash, ram = flash_and_ram(built(folder_of(tmp_path / "reads", READS_A_REGISTER)))
    assert flash <= 3_100
    assert ram <= 245


def test_one_loop_alone_waits_for_nobody(uno: Run, tmp_path: Path) -> None:
    done = uno(folder_of(tmp_path / "reads", READS_A_REGISTER), "50ms")
    facts: dict[str, Any] = done.report
    assert "bus_waits" not in facts
