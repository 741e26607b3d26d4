"""Headers of avr-libc that libraries include, where there is no avr-libc."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import except_virt, long_form, one_in
from tests.commands import run_hocket
from tests.interrupts import on, run, run_folder

# The check values of the catalogue of parametrised CRC algorithms: of "123456789".
CHECKSUMS = """
#include <util/crc16.h>
#include <util/parity.h>
void setup() {
  Serial.begin(115200);
  uint16_t arc = 0, mcrf = 0xffff, xmodem = 0;
  uint8_t maxim = 0, smbus = 0;
  for (const char* c = "123456789"; *c; c++) {
    arc = _crc16_update(arc, *c);
    mcrf = _crc_ccitt_update(mcrf, *c);
    xmodem = _crc_xmodem_update(xmodem, *c);
    maxim = _crc_ibutton_update(maxim, *c);
    smbus = _crc8_ccitt_update(smbus, *c);
  }
  unsigned sums[] = {arc, mcrf, xmodem, maxim, smbus};
  for (unsigned sum : sums) Serial.println(sum, HEX);
  Serial.println(parity_even_bit(7) * 10 + parity_even_bit(5));
}
void loop() { delay(1000); }
"""


@one_in(4)
@pytest.mark.parametrize("board", ["sim", "virt", "uno"])
def test_checksums_have_their_check_values(tmp_path: Path, board: str) -> None:
    status, said, _ = run(tmp_path, "checksums", CHECKSUMS, "parts: {}\n", "50ms", *on(board))
    assert status == 0, said
    assert said.split()[:6] == ["BB3D", "6F91", "31C3", "A1", "F4", "10"]


# A count that handlers make in four bytes, read whole; blocks inside blocks.
ATOMIC = """
#include <util/atomic.h>
volatile long edges;
void tick() { edges++; }
long now() {
  ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { return edges; }
  return -1;
}
void setup() {
  Serial.begin(115200);
  attachInterrupt(digitalPinToInterrupt(2), tick, RISING);
  long passed = 0;
  ATOMIC_BLOCK(ATOMIC_FORCEON) {
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { passed = edges; }
    delayMicroseconds(3000);
    passed = edges - passed;
  }
  Serial.println(passed);
  delay(20);
  Serial.println(now() > 15);
}
void loop() { delay(1000); }
"""


@one_in(4)
@pytest.mark.parametrize("board", ["sim", "virt", "uno"])
def test_no_handler_runs_inside_an_atomic_block(tmp_path: Path, board: str) -> None:
    scenario = "parts:\n  g: {type: generator, pin: 2, frequency: 1 kHz}\n"
    status, said, _ = run(tmp_path, "atomic", ATOMIC, scenario, "100ms", *on(board))
    assert status == 0, said
    assert said.split()[:2] == ["0", "1"]


@long_form
def test_a_library_may_define_how_program_memory_is_read(tmp_path: Path) -> None:
    """Before it includes anything, as those do that are for other processors too."""
    library = tmp_path / "libraries" / "Glyphs"
    library.mkdir(parents=True)
    (library / "Glyphs.h").write_text("#pragma once\nint glyph(int index);\n", encoding="utf-8")
    (library / "Glyphs.cpp").write_text(
        "#define pgm_read_byte(at) (*(const unsigned char *)(at))\n"
        "#define pgm_read_word(at) (*(const unsigned short *)(at))\n"
        "#include <Arduino.h>\n"
        '#include "Glyphs.h"\n'
        "static const unsigned char kGlyphs[] PROGMEM = {7, 11, 13};\n"
        "int glyph(int index) { return pgm_read_byte(kGlyphs + index); }\n",
        encoding="utf-8",
    )
    sketch = tmp_path / "glyphs"
    sketch.mkdir()
    (sketch / "glyphs.ino").write_text(
        "#include <Glyphs.h>\n"
        "void setup() { Serial.begin(115200); Serial.println(glyph(1)); }\nvoid loop() {}\n",
        encoding="utf-8",
    )
    status, said, _ = run_folder(tmp_path, sketch, "parts: {}\n", "50ms", *on("sim"))
    assert status == 0, said
    assert said.startswith("11"), said


# A loop that waits asleep for what another one does; parts of the chip that are switched off.
ASLEEP = """
#include <avr/power.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
volatile bool done;
void setup() {
  Serial.begin(115200);
  power_adc_disable();
  power_all_enable();
  wdt_disable();
  set_sleep_mode(SLEEP_MODE_IDLE);
}
void loop(1, 10, 100) {
  while (!done) sleep_mode();
  wdt_reset();
  Serial.println(millis() / 10);
  delay(1000);
}
void loop(2, 10, 100) {
  delay(40);
  done = true;
  delay(1000);
}
"""


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_a_loop_sleeps_until_another_is_done(tmp_path: Path, board: str) -> None:
    status, said, report = run(tmp_path, "asleep", ASLEEP, "parts: {}\n", "200ms", *on(board))
    assert status == 0, said
    assert said.split()[0] == "4"
    first = next(loop for loop in report["loops"] if loop["id"] == 1)
    assert first["cpu_us"] < 5_000, "it waited on the processor"


@one_in(2)
@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("wdt_enable(WDTO_1S)", "this board has no watchdog: leave wdt_enable() out"),
        (
            "set_sleep_mode(SLEEP_MODE_PWR_DOWN)",
            "a pin cannot wake this board from this sleep mode",
        ),
    ],
)
def test_what_only_an_avr_can_do_is_refused_in_words(tmp_path: Path, call: str, words: str) -> None:
    text = f"#include <avr/sleep.h>\n#include <avr/wdt.h>\nvoid setup() {{\n  {call};\n}}\nvoid loop() {{}}\n"
    folder = tmp_path / "only-avr"
    folder.mkdir()
    (folder / "only-avr.ino").write_text(text)
    done = run_hocket("build", folder)
    assert done.returncode == 2
    assert "only-avr.ino:4:" in done.stderr
    assert words in done.stderr


# Settings as sketches of the Uno keep them, with addresses and with variables.
SETTINGS = """
#include <avr/eeprom.h>
uint16_t EEMEM count;
float EEMEM gain;
struct Limits { int16_t low, high; };
Limits EEMEM limits;

void setup() {
  Serial.begin(115200);
  Serial.println(eeprom_read_word(&count));
  eeprom_update_word(&count, 517);
  eeprom_write_float(&gain, 2.5);
  Limits both = {-40, 85};
  eeprom_update_block(&both, &limits, sizeof both);
  eeprom_write_byte((uint8_t *)100, 7);
  eeprom_write_dword((uint32_t *)101, 0x12345678);
  eeprom_busy_wait();
  Limits again;
  eeprom_read_block(&again, &limits, sizeof again);
  Serial.println(eeprom_read_word(&count));
  Serial.println(eeprom_read_float(&gain));
  Serial.println(again.low + again.high);
  Serial.println(eeprom_read_byte((const uint8_t *)100));
  Serial.println(eeprom_read_dword((const uint32_t *)101), HEX);
  Serial.println(eeprom_read_byte((const uint8_t *)0) == (517 & 255));
}
void loop() {}
"""


@one_in(4)
@pytest.mark.parametrize("board", ["sim", "virt", "uno"])
def test_the_eeprom_by_avr_libcs_calls(tmp_path: Path, board: str) -> None:
    status, said, _ = run(tmp_path, "settings", SETTINGS, "parts: {}\n", "300ms", *on(board))
    assert status == 0, said
    assert said.split()[:7] == ["65535", "517", "2.50", "45", "7", "12345678", "1"], said


@long_form
def test_a_line_that_does_not_listen_is_noticed(tmp_path: Path) -> None:
    """Two lines talk, one is heard: as on the Uno, and the report says it."""
    sketch = """
    #include <SoftwareSerial.h>
    SoftwareSerial first(4, 3), second(6, 5), nowhere(255, 255), silent(7, 255);
    void setup() {
      Serial.begin(115200);
      first.begin(9600);
      second.begin(9600);
      nowhere.begin(9600);
      silent.begin(1);
      Serial.println((first ? 1 : 0) + (second ? 2 : 0) + (nowhere ? 4 : 0) + (silent ? 8 : 0));
      Serial.println(nowhere.print("x") + silent.print("y"));
      second.listen();
      second.setTimeout(60);
      Serial.println(second.readString());
      Serial.println(first.available() + first.read());
    }
    void loop() {}
    """
    scenario = """
parts:
  a: {type: serial_pins, tx: 4, baud: 9600, send: [{at: 10 ms, text: "lost"}]}
  b: {type: serial_pins, tx: 6, baud: 9600, send: [{at: 10 ms, text: "heard"}]}
"""
    status, said, report = run(tmp_path, "two-lines", sketch, scenario, "200ms", *on("sim"))
    assert status == 0, said
    assert said.split()[:4] == ["3", "0", "heard", "-1"], said
    lines = report["serial"][4:6]
    assert [(line["rx"], line["bytes_received"], line["unheard_bytes"]) for line in lines] == [
        (4, 0, 4),
        (6, 5, 0),
    ]
    assert any("4 bytes came while it was not listening" in notice for notice in report["notices"])
