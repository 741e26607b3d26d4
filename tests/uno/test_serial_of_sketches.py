"""Serial interrupts that a plain sketch has for itself."""

from __future__ import annotations

import functools
import operator
import struct
import subprocess
from pathlib import Path

import pytest
from tests.commands import ENTRY, PATIENCE
from tests.sketches import kept

# A flight controller's serial protocol with interrupts of the sketch's own at both ends, structures as they
# lie in memory, and a sensor at the registers of the two-wire interface.
STATION = r"""
#include <avr/interrupt.h>
#include <util/twi.h>

static volatile uint8_t rx[32], rx_head, rx_tail, tx[64], tx_head, tx_tail;
static uint8_t sum, state, size, command;

ISR(USART_RX_vect) { rx[rx_head] = UDR0; rx_head = (rx_head + 1) & 31; }
ISR(USART_UDRE_vect) {
  if (tx_head != tx_tail) { UDR0 = tx[tx_tail]; tx_tail = (tx_tail + 1) & 63; }
  if (tx_head == tx_tail) UCSR0B &= ~(1 << UDRIE0);
}
static void put(uint8_t b) {
  tx[tx_head] = b;
  tx_head = (tx_head + 1) & 63;
  sum ^= b;
}
static void answer(const void* data, uint8_t n) {
  put('$'); put('M'); put('>');
  sum = 0;
  put(n);
  put(command);
  for (const uint8_t* p = (const uint8_t*)data; n--;) put(*p++);
  put(sum);
  UCSR0B |= 1 << UDRIE0;
}

static void bus(uint8_t control) {
  TWCR = 1 << TWINT | 1 << TWEN | control;
  while (!(TWCR & 1 << TWINT)) { }
}
static void to(uint8_t b) { TWDR = b; bus(0); }
static void set(uint8_t reg, uint8_t value) {
  bus(1 << TWSTA); to(0x68 << 1); to(reg); to(value);
  TWCR = 1 << TWINT | 1 << TWEN | 1 << TWSTO;
  while (TWCR & 1 << TWSTO) { }
}
static void get(uint8_t reg, uint8_t* into, uint8_t n) {
  bus(1 << TWSTA); to(0x68 << 1); to(reg);
  bus(1 << TWSTA); to(0x68 << 1 | 1);
  while (n--) { bus(n ? 1 << TWEA : 0); *into++ = TWDR; }
  TWCR = 1 << TWINT | 1 << TWEN | 1 << TWSTO;
}

static struct { uint8_t version, kind, protocol; uint32_t can; } ident = {241, 3, 0, 0x70000000};
static struct { int16_t acceleration[3], turn[3], compass[3]; } sensors;

static void received(uint8_t b) {
  if (state == 0) state = b == '$';
  else if (state == 1) state = b == 'M' ? 2 : 0;
  else if (state == 2) state = b == '<' ? 3 : 0;
  else if (state == 3) { size = sum = b; state = 4; }
  else if (state == 4) { command = b; sum ^= b; state = 5; }
  else if (size) { size--; sum ^= b; }
  else {
    state = 0;
    if (sum != b) return;
    if (command == 100) answer(&ident, sizeof ident);
    if (command == 102) answer(&sensors, sizeof sensors);
  }
}

void setup() {
  UCSR0A = 1 << U2X0;
  UBRR0H = 0;
  UBRR0L = (F_CPU / 4 / 115200 - 1) / 2;
  UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
  TWBR = (F_CPU / 400000 - 16) / 2;
  set(0x6b, 0);     // it wakes
  set(0x1b, 0x18);  // 2000 degrees a second
  set(0x1c, 0x10);  // 8 g
}
void loop() {
  uint8_t raw[14];
  get(0x3b, raw, sizeof raw);
  for (uint8_t i = 0; i < 3; i++) {
    sensors.acceleration[i] = (int16_t)(raw[2 * i] << 8 | raw[2 * i + 1]) >> 3;
    sensors.turn[i] = (int16_t)(raw[8 + 2 * i] << 8 | raw[9 + 2 * i]) >> 2;
  }
  while (rx_tail != rx_head) {
    received(rx[rx_tail]);
    rx_tail = (rx_tail + 1) & 31;
  }
}
"""
ASKED = """
parts:
  station:
    type: serial
    port: 0
    send:
      - {at: 30 ms, hex: "244d3c006464"}
      - {at: 40 ms, hex: "244d3c006665"}  # its checksum is wrong
      - {at: 50 ms, hex: "78244d3c02660102"}
      - {at: 52 ms, hex: "67"}
  motion: {type: mpu6050, acceleration: {x: 0.5 g}, rate: {z: 10 deg/s}}
"""


def test_a_binary_protocol_with_interrupts_of_the_sketchs(tmp_path: Path) -> None:
    scenario = tmp_path / "asked.yaml"
    scenario.write_text(ASKED)
    words: list[str | Path] = [
        ENTRY,
        "run",
        kept("station", STATION),
        "--board",
        "uno",
        "--for",
        "80ms",
    ]
    done = subprocess.run(
        [*words, "--scenario", scenario], capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    ident = b"\x07\x64" + struct.pack("<BBBI", 241, 3, 0, 0x70000000)
    sensors = b"\x12\x66" + struct.pack("<9h", 256, 0, 512, 0, 0, 40, 0, 0, 0)
    expected = b"".join(
        b"$M>" + body + bytes([functools.reduce(operator.xor, body)]) for body in (ident, sensors)
    )
    assert done.stdout.startswith(expected), done.stdout[:60]


FORMATS = """
void setup() {
  Serial.begin(9600, SERIAL_8E1);
  byte seen = UCSR0C;
  Serial.println(seen, HEX);
  Serial.flush();
  Serial.begin(9600, SERIAL_7O2);
  Serial.write(0x80 | 'a');
  Serial.println(UCSR0C, HEX);
  Serial.flush();
  volatile byte format = SERIAL_8N2, seven = SERIAL_7N1;
  volatile unsigned long rate = 19200, fast = 115200;
  Serial.begin(rate, format);
  Serial.println(UCSR0C, HEX);
  Serial.flush();
  Serial.begin(fast, seven);
  if (!Serial) seen = 0;
  Serial.begin(9600);
  Serial.println(UCSR0C, HEX);
  Serial.println(seen);
}
void loop() {}
"""


def test_frame_formats() -> None:
    """Known when the sketch is built, and when it runs; a line of seven bits carries seven."""
    sketch = str(kept("formats", FORMATS))
    words = [str(ENTRY), "run", sketch, "--board", "uno", "--for", "100ms"]
    done = subprocess.run(words, capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[:5] == [b"26", b"a3C", b"E", b"6", b"38"], done.stdout[:60]


EACH_FORMAT = """
const byte formats[] = {
    SERIAL_5N1, SERIAL_6N1, SERIAL_7N1, SERIAL_8N1, SERIAL_5E1, SERIAL_6E1, SERIAL_7E1, SERIAL_8E1,
    SERIAL_5O1, SERIAL_6O1, SERIAL_7O1, SERIAL_8O1, SERIAL_5N2, SERIAL_6N2, SERIAL_7N2, SERIAL_8N2,
    SERIAL_5E2, SERIAL_6E2, SERIAL_7E2, SERIAL_8E2, SERIAL_5O2, SERIAL_6O2, SERIAL_7O2, SERIAL_8O2};
const unsigned long rates[] = {9600, 115200};
void setup() {
  for (unsigned long rate : rates) {
    for (byte format : formats) {
      Serial.begin(rate, format);
      const bool open = Serial;
      const unsigned long begun = micros();
      for (int i = 0; i < 5; i++) Serial.write(0xa5);
      Serial.flush();
      const unsigned long took = micros() - begun;
      Serial.begin(115200);
      Serial.print(' ');
      Serial.println(open ? took : 0);
      Serial.flush();
    }
  }
}
"""
CHARACTERS = 5


@pytest.mark.parametrize("loops", [False, True])
def test_each_format_takes_its_bits(loops: bool) -> None:
    """A start bit, the data, a bit for parity, the stop bits; and the part receives the bits of data. Beside
    loops a format that may be shorter than 8N1 does not begin at 115200, because admission counts on 8N1."""
    sketch = EACH_FORMAT + ("void loop(1, 5, 50) { delay(50); }\n" if loops else "void loop() {}\n")
    name = f"each_format_{loops}"
    words = [str(ENTRY), "run", str(kept(name, sketch)), "--board", "uno", "--for", "700ms"]
    done = subprocess.run(words, capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.split(b"\r\n")
    formats = [
        (data, parity, stops) for stops in (1, 2) for parity in "NEO" for data in (5, 6, 7, 8)
    ]
    for rate, cycles_of_bit in ((9600, 208 * 8), (115200, 17 * 8)):
        for data, parity, stops in formats:
            sent, _, took = lines.pop(0).rpartition(b" ")
            what = f"{rate} {data}{parity}{stops}"
            if loops and rate == 115200 and data < 8:
                assert (sent, took) == (b"", b"0"), what
                continue
            assert sent == CHARACTERS * bytes([0xA5 & (1 << data) - 1]), what
            bits = 1 + data + (parity != "N") + stops
            expected = CHARACTERS * bits * cycles_of_bit / 16
            assert expected - 1 <= int(took) <= expected * 1.01 + 24, what
