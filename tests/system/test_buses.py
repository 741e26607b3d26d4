"""Wire, SPI and EEPROM in sketches: what they read and write of simulated parts, and whom that costs time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.campaign import except_virt, long_form, one_in
from tests.commands import run_hocket
from tests.interrupts import loop, on, run
from tests.sketches import kept

BOARDS = pytest.mark.parametrize("board", except_virt(["sim", "virt"]))

SENSOR = """
parts:
  sensor:
    type: i2c_registers
    address: 0x48
    registers:
      - {register: 0, is: 0xa5, access: read}
      - {register: 1, is: 3}
      - {register: 2, is: 10, to: 20, over: 1 s}
"""


@BOARDS
def test_a_sketch_reads_and_writes_registers(tmp_path: Path, board: str) -> None:
    text = """
#include <Wire.h>
uint8_t reg(uint8_t number) {
  Wire.beginTransmission(0x48);
  Wire.write(number);
  Wire.endTransmission(false);
  Wire.requestFrom(0x48, 1);
  return Wire.read();
}
void setup() {
  Serial.begin(115200);
  Wire.begin();
  Serial.println(reg(0), HEX);
  Wire.beginTransmission(0x48);
  Wire.write(1); Wire.write(77);
  Serial.println(Wire.endTransmission());
  Serial.println(reg(1));
  Wire.beginTransmission(0x49);
  Serial.println(Wire.endTransmission());
  Serial.println(Wire.requestFrom(0x49, 3));
  Serial.println(Wire.read());
  Wire.beginTransmission(0x48);
  for (int i = 0; i < 200; i++) Wire.write(i);
  Serial.println(Wire.endTransmission());
  Serial.println(Wire.requestFrom(0x48, 2, 1, 1, true));
  Serial.println(Wire.read());
  Serial.println(Wire.available());
}
void loop() { delay(500); Serial.println(reg(2)); }
"""
    status, said, report = run(tmp_path, "registers", text, SENSOR, "1200ms", *on(board))
    assert status == 0, said
    lines = said.split("\n")[:12]
    assert lines[:10] == ["A5", "0", "77", "2", "0", "-1", "1", "2", "77", "1"]
    assert [int(line) for line in lines[10:]] in ([15, 20], [14, 19])
    assert report["parts"]["sensor"]["registers"]["1"] == 77


# 23 bytes with their acknowledgements and what is around them: 2.1 ms at 100 kHz.
BESIDE = """
#include <Wire.h>
volatile unsigned long bytes;
void setup() { Wire.begin(); }
void loop(1, 5, 20) {
  Wire.beginTransmission(0x48);
  Wire.write(0);
  Wire.endTransmission(false);
  bytes += Wire.requestFrom(0x48, 20);
}
void loop(2, 70, 100) { delayMicroseconds(30000); }
"""


@long_form
@BOARDS
def test_a_loop_at_the_bus_leaves_the_core_to_others(tmp_path: Path, board: str) -> None:
    seconds = {"sim": 2.0, "virt": 0.6}[board]
    status, said, report = run(
        tmp_path, "beside", BESIDE, SENSOR, f"{seconds * 1000:.0f}ms", *on(board)
    )
    assert status == 0, said
    reader, spinner = loop(report, 1), loop(report, 2)
    transfers = report["parts"]["sensor"]["transfers"]
    # The bus is busy nearly all the time, and that is no processor time of anybody's.
    assert transfers * 2.1e-3 > 0.85 * seconds
    assert reader["cpu_us"] < 0.1e6 * seconds
    assert spinner["min_cpu_per_period_us"] > 69_000
    assert reader["deadline_misses"] == spinner["deadline_misses"] == 0
    assert reader["budget_exhausted"] == 0


@BOARDS
def test_a_transfer_takes_the_time_of_its_bits(tmp_path: Path, board: str) -> None:
    text = """
#include <Wire.h>
void measure(long hertz) {
  Wire.setClock(hertz);
  unsigned long begin = micros();
  Wire.requestFrom(0x48, 10);
  Serial.println(micros() - begin);
}
void setup() { Serial.begin(115200); Wire.begin(); measure(100000); measure(400000); }
void loop() { delay(1000); }
"""
    _, said, _ = run(tmp_path, "bits", text, SENSOR, "20ms", *on(board))
    slow, fast = (int(line) for line in said.split("\n")[:2])
    bits = 2 + 11 * 9
    assert 10 * bits <= slow <= 10 * bits + 60
    assert 2.5 * bits - 1 <= fast <= 2.5 * bits + 60


TWO = """
#include <Wire.h>
volatile unsigned long rounds, wrong;
void read(uint8_t from) {
  Wire.beginTransmission(0x20);
  Wire.write(from);
  Wire.endTransmission(false);
  uint8_t got = Wire.requestFrom(0x20, 3);
  bool right = got == 3;
  for (int i = 0; i < 3; i++) right &= Wire.read() == from + i;
  if (!right) wrong++;
  rounds++;
}
void setup() { Serial.begin(115200); Wire.begin(); }
void loop(1, 20, 100) { read(10); delayMicroseconds(130); }
void loop(2, 20, 100) { read(20); delayMicroseconds(210); }
void loop(3, 20, 100) { Wire.beginTransmission(0x21); if (Wire.endTransmission() != 2) wrong++; }
void loop(4, 5, 100) {
  delay(400);
  Serial.print(wrong); Serial.print(' '); Serial.println(rounds > 200);
}
"""


@one_in(5)
@pytest.mark.parametrize(("board", "cores"), [("sim", 1), ("sim", 3), ("virt", 1), ("virt", 2)])
def test_transfers_of_loops_do_not_mix(tmp_path: Path, board: str, cores: int) -> None:
    registers = ", ".join(f"{{register: {i}, is: {i}}}" for i in range(10, 30))
    part = f"parts:\n  d: {{type: i2c_registers, address: 0x20, registers: [{registers}]}}\n"
    status, said, _ = run(tmp_path, "two", TWO, part, "450ms", *on(board, cores))
    assert status == 0, said
    assert said.startswith("0 1\n")


@BOARDS
def test_a_memory_on_the_bus_is_stored_page_by_page(tmp_path: Path, board: str) -> None:
    """The usual way of waiting for it: until it acknowledges its address again."""
    text = """
#include <Wire.h>
void setup() {
  Serial.begin(115200);
  Wire.begin();
  for (int page = 0; page < 3; page++) {
    Wire.beginTransmission(0x50);
    Wire.write(page >> 2); Wire.write(page << 6);
    for (int i = 0; i < 16; i++) Wire.write(page * 16 + i);
    Wire.endTransmission();
    do Wire.beginTransmission(0x50); while (Wire.endTransmission() != 0);
  }
  Serial.println(millis());
  Wire.beginTransmission(0x50);
  Wire.write(0); Wire.write(0x40);
  Wire.endTransmission();
  Wire.requestFrom(0x50, 4);
  while (Wire.available()) Serial.println(Wire.read());
}
void loop() { delay(1000); }
"""
    scenario = "parts:\n  memory: {type: eeprom_24c, kind: 24C256}\n"
    _, said, report = run(tmp_path, "pages", text, scenario, "100ms", *on(board))
    lines = [int(line) for line in said.split("\n")[:5]]
    assert 20 <= lines[0] <= 23  # three pages of 5 ms and 1.8 ms on the bus
    assert lines[1:] == [16, 17, 18, 19]
    assert report["parts"]["memory"]["used_bytes"] == 48


SETTINGS = """
#include <EEPROM.h>
struct Settings { uint16_t magic; int32_t starts; float gain; };
void setup() {
  Serial.begin(115200);
  Settings settings;
  EEPROM.get(8, settings);
  if (settings.magic != 0xBEEF) settings = {0xBEEF, 0, 1.5};
  settings.starts++;
  unsigned long begin = millis();
  EEPROM.put(8, settings);
  Serial.print(settings.starts); Serial.print(' '); Serial.print(settings.gain);
  Serial.print(' '); Serial.println(millis() - begin > 3);
}
void loop() { delay(1000); }
"""


@long_form
@BOARDS
def test_the_eeprom_keeps_settings_where_the_scenario_says(tmp_path: Path, board: str) -> None:
    scenario = "parts:\n  memory: {type: eeprom, file: settings.bin}\n"
    for start in (1, 2, 3):
        status, said, report = run(tmp_path, "settings", SETTINGS, scenario, "100ms", *on(board))
        assert status == 0, said
        assert said.startswith(f"{start} 1.50 {1 if start == 1 else 0}\n")
    assert report["parts"]["memory"]["writes"] == 1  # put() leaves alone what is there already
    assert (tmp_path / "settings.bin").stat().st_size == 4096
    status, said, _ = run(tmp_path, "settings", SETTINGS, "parts: {}\n", "100ms", *on(board))
    assert said.startswith("1 1.50 1\n")


def test_a_content_that_is_not_the_memorys_is_said(tmp_path: Path) -> None:
    (tmp_path / "settings.bin").write_text("no")
    scenario = "parts:\n  memory: {type: eeprom, file: settings.bin}\n"
    status, said, _ = run(tmp_path, "settings", SETTINGS, scenario, "100ms", *on("sim"))
    assert status == 2
    assert "settings.bin is not what this memory has kept: it must have 4096 bytes" in said


@long_form
def test_an_spi_transfer_waits_as_long_as_its_bits(tmp_path: Path) -> None:
    """And sleeps when that is worth it: a long one costs no budget."""
    text = """
#include <SPI.h>
uint8_t buffer[1000];
void setup() { Serial.begin(115200); SPI.begin(); }
void loop(1, 5, 20) {
  SPI.beginTransaction(SPISettings(1000000, MSBFIRST, SPI_MODE0));
  unsigned long begin = micros();
  uint8_t one = SPI.transfer(0x12);
  unsigned long short_one = micros() - begin;
  begin = micros();
  SPI.transfer(buffer, sizeof buffer);
  unsigned long long_one = micros() - begin;
  SPI.endTransaction();
  Serial.print(one); Serial.print(' '); Serial.print(buffer[999]);
  Serial.print(' '); Serial.print(short_one); Serial.print(' '); Serial.println(long_one);
  delay(10);
}
"""
    for board in ("sim", "virt"):
        status, said, report = run(tmp_path, "spi", text, "parts: {}\n", "200ms", *on(board))
        assert status == 0, said
        one, last, short, long = (int(word) for word in said.split("\n")[0].split())
        assert (one, last) == (255, 255)
        assert 8 <= short <= 30 and 8000 <= long <= 8100
        assert loop(report, 1)["budget_exhausted"] == 0


def test_a_transaction_has_the_bus_for_itself(tmp_path: Path) -> None:
    text = """
#include <SPI.h>
volatile int inside, wrong, rounds;
void use() {
  SPI.beginTransaction(SPISettings(4000000, MSBFIRST, SPI_MODE3));
  if (inside++ != 0) wrong++;
  SPI.transfer16(0x1234);
  delayMicroseconds(300);
  delay(1);
  inside--;
  SPI.endTransaction();
  rounds++;
}
void setup() { Serial.begin(115200); SPI.begin(); }
void loop(1, 20, 100) { use(); }
void loop(2, 20, 100) { use(); }
void loop(3, 5, 100) { delay(400); Serial.print(wrong); Serial.print(' '); Serial.println(rounds > 100); }
"""
    for cores in (1, 3):
        _, said, _ = run(tmp_path, "alone", text, "parts: {}\n", "450ms", *on("sim", cores))
        assert said.startswith("0 1\n")


@long_form
def test_a_board_by_itself_says_that_it_has_no_bus(tmp_path: Path) -> None:
    """The card's image of a Raspberry Pi builds: transfers fail with 4 there (docs/reference/buses.md)."""
    text = "#include <Wire.h>\nvoid setup() { Wire.begin(); }\nvoid loop() { delay(1); }\n"
    done = run_hocket("build", kept("card", text), "--board", "rpi3", "-o", tmp_path / "card")
    assert done.returncode == 0, done.stderr


def test_what_cannot_be_on_one_bus_is_refused(tmp_path: Path) -> None:
    folder = kept("none", "void setup() {}\nvoid loop() {}\n")
    file = tmp_path / "scenario.yaml"
    cases = {
        "{a: {type: eeprom_24c}, b: {type: i2c_registers, address: 0x50}}": "both at address 0x50",
        "{a: {type: eeprom}, b: {type: eeprom}}": "a and b are both of type eeprom",
        "{a: {type: i2c_registers, address: 3}}": "address of a",
        "{a: {type: i2c_registers, address: 9, registers: [{register: 1}, {register: 1}]}}": "twice",
    }
    for parts, expected in cases.items():
        file.write_text(f"parts: {parts}\n", encoding="utf-8")
        done = run_hocket("run", folder, "--scenario", file)
        assert done.returncode == 2 and expected in done.stderr, done.stderr


def test_runs_with_buses_repeat(tmp_path: Path) -> None:
    reports = []
    for _ in range(2):
        _, said, report = run(
            tmp_path, "beside", BESIDE, SENSOR, "300ms", *on("sim"), "--seed", "7"
        )
        reports.append(json.dumps([said, report], sort_keys=True))
    assert reports[0] == reports[1]


@one_in(2)
@pytest.mark.parametrize(("board", "room"), [("sim", 128), ("uno", 32)])
def test_more_than_a_transfer_can_be_is_not_sent(tmp_path: Path, board: str, room: int) -> None:
    sketch = """
#include <Wire.h>
void write(int bytes) {
  Wire.beginTransmission(0x50);
  for (int i = 0; i < bytes; i++) Wire.write(i);
}
void setup() {
  Serial.begin(115200);
  Wire.begin();
}
void loop(1, 20, 100) {
  write(ROOM + 1);
  Serial.println(Wire.endTransmission());
  write(ROOM + 1);
  Serial.println(Wire.endTransmission(false));
  write(ROOM);
  Serial.println(Wire.endTransmission());
  delay(1000);
}
""".replace("ROOM", str(room))
    scenario = "parts: {r: {type: i2c_registers, address: 0x50}}\n"
    status, said, report = run(tmp_path, "long", sketch, scenario, "100ms", *on(board))
    assert status == 0, said
    assert said.split("\n")[:3] == ["1", "1", "0"], said
    assert report["parts"]["r"]["transfers"] == 1
