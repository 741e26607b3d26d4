"""A reader of contactless cards and an Ethernet chip on the SPI bus, each spoken to by a small driver of its
registers that is written from the data sheet."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import except_virt
from tests.interrupts import on, run

BOARDS = except_virt(["sim", "virt", "uno"])

READER = """
#include <SPI.h>
const byte SELECT = 10;
byte transferred(byte address, byte value) {
  digitalWrite(SELECT, LOW);
  SPI.transfer(address);
  byte answer = SPI.transfer(value);
  digitalWrite(SELECT, HIGH);
  return answer;
}
void put(byte reg, byte value) { transferred(reg << 1, value); }
byte get(byte reg) { return transferred(0x80 | reg << 1, 0); }

byte buffer[18];
// Sends a frame to the card; how many bytes came, 0: none.
byte exchange(byte size, byte bits, byte command = 12) {
  put(0x01, 0);
  put(0x04, 0x7f);
  put(0x0a, 0x80);
  for (byte i = 0; i < size; i++) put(0x09, buffer[i]);
  put(0x0d, bits);
  put(0x01, command);
  if (command == 12) put(0x0d, 0x80 | bits);
  byte irq;
  do irq = get(0x04); while (!(irq & 0x31));
  if (!(irq & 0x30)) return 0;
  byte came = get(0x0a);
  for (byte i = 0; i < came && i < sizeof buffer; i++) buffer[i] = get(0x09);
  return command == 12 ? came : 1;
}
void sum(byte size) {  // CRC_A behind what is in the buffer, by the chip itself
  put(0x01, 0);
  put(0x05, 0x04);
  put(0x0a, 0x80);
  for (byte i = 0; i < size; i++) put(0x09, buffer[i]);
  put(0x01, 3);
  while (!(get(0x05) & 4)) {}
  buffer[size] = get(0x22);
  buffer[size + 1] = get(0x21);
}
bool request() {
  buffer[0] = 0x26;
  return exchange(1, 7) == 2;
}
bool choose() {
  buffer[0] = 0x93;
  buffer[1] = 0x20;
  if (exchange(2, 0) != 5) return false;
  for (byte i = 0; i < 4; i++) Serial.print(buffer[i], HEX);
  byte check = buffer[4];
  for (byte i = 5; i > 0; i--) buffer[i + 1] = buffer[i - 1];
  buffer[0] = 0x93;
  buffer[1] = 0x70;
  buffer[6] = check;
  sum(7);
  bool chosen = exchange(9, 0) == 3;
  Serial.print(' ');
  Serial.println(buffer[0], HEX);
  return chosen;
}
bool opens(byte block, byte key) {
  static const byte ID[] = {0x0a, 0x1b, 0x2c, 0x3d};
  buffer[0] = 0x60;
  buffer[1] = block;
  for (byte i = 0; i < 6; i++) buffer[2 + i] = key;
  for (byte i = 0; i < 4; i++) buffer[8 + i] = ID[i];
  return exchange(12, 0, 14) && (get(0x08) & 8);
}
byte block(byte command, byte number) {
  buffer[0] = command;
  buffer[1] = number;
  sum(2);
  return exchange(4, 0);
}
void setup() {
  Serial.begin(115200);
  pinMode(SELECT, OUTPUT);
  digitalWrite(SELECT, HIGH);
  SPI.begin();
  SPI.beginTransaction(SPISettings(4000000, MSBFIRST, SPI_MODE0));
  Serial.println(get(0x37), HEX);
  put(0x2a, 0x80);  // its timer: 25 ms
  put(0x2b, 0xa9);
  put(0x2c, 0x03);
  put(0x2d, 0xe8);
  put(0x11, 0x3d);
  put(0x14, get(0x14) | 3);
  unsigned long begin = millis();
  Serial.print(request());
  unsigned long took = millis() - begin;
  Serial.println(took >= 24 && took <= 28);
  while (!request()) {}
  Serial.println(choose());
  Serial.print(opens(4, 0x11));  // not its key: it is to be chosen anew
  request();
  choose();
  Serial.println(opens(4, 0xff));
  Serial.print(block(0x30, 4));
  for (byte i = 0; i < 6; i++) Serial.print((char)buffer[i]);
  Serial.println();
  Serial.print(block(0x30, 9));  // of another sector
  Serial.print(block(0xa0, 5));
  Serial.println(buffer[0], HEX);
  for (byte i = 0; i < 16; i++) buffer[i] = i;
  sum(16);
  Serial.print(exchange(18, 0));
  Serial.println(buffer[0], HEX);
}
void loop() {}
"""
CARD = """
parts:
  door:
    type: mfrc522
    select: 10
    uid: "0a1b2c3d"
    blocks: [{block: 4, is: "486f636b6574"}]
    present: [{at: 100 ms, for: 10 s}]
expect:
  - {part: door, selections: 2, refused_keys: 1, blocks_read: 1, blocks_written: 1}
  - {part: door, last_written: "5:000102030405060708090a0b0c0d0e0f"}
"""


@pytest.mark.parametrize("board", BOARDS)
def test_a_card_is_read_and_written(tmp_path: Path, board: str) -> None:
    status, said, _ = run(tmp_path, "reader", READER, CARD, "300ms", *on(board))
    assert status == 0, said
    lines = said.split("\n")
    assert lines[:2] == ["92", "01"], said  # nobody there: over by the timer
    assert lines[2:4] == ["A1B2C3D 8", "1"], said
    assert lines[4] == "0A1B2C3D 8" and lines[5] == "1", said
    assert lines[6] == "18Hocket", said
    assert lines[7:9] == ["11A", "1A"], said


NETWORK = """
#include <SPI.h>
const byte SELECT = 10;
void frame(unsigned address, byte control) {
  digitalWrite(SELECT, LOW);
  SPI.transfer(address >> 8);
  SPI.transfer(address & 255);
  SPI.transfer(control);
}
void put(unsigned address, byte block, byte value) {
  frame(address, block << 3 | 4);
  SPI.transfer(value);
  digitalWrite(SELECT, HIGH);
}
byte get(unsigned address, byte block) {
  frame(address, block << 3);
  byte value = SPI.transfer(0);
  digitalWrite(SELECT, HIGH);
  return value;
}
unsigned get2(unsigned address, byte block) {
  unsigned high = get(address, block);
  return high << 8 | get(address + 1, block);
}
void put2(unsigned address, byte block, unsigned value) {
  put(address, block, value >> 8);
  put(address + 1, block, value & 255);
}
byte reg(byte s) { return 4 * s + 1; }
byte status(byte s) { return get(0x03, reg(s)); }
void command(byte s, byte what) { put(0x01, reg(s), what); }
void open(byte s, byte mode, unsigned port) {
  put(0x00, reg(s), mode);
  put2(0x04, reg(s), port);
  command(s, 0x01);
}
void to(byte s, byte last, unsigned port) {
  const byte ip[] = {192, 168, 1, last};
  for (byte i = 0; i < 4; i++) put(0x0c + i, reg(s), ip[i]);
  put2(0x10, reg(s), port);
}
void send(byte s, const char* text) {
  unsigned at = get2(0x24, reg(s));
  while (*text) put(at++, 4 * s + 2, *text++);
  put2(0x24, reg(s), at);
  command(s, 0x20);
  while (!(get(0x02, reg(s)) & 0x10)) {}
  put(0x02, reg(s), 0x10);
}
void print(byte s, byte skip) {  // all that has come
  unsigned at = get2(0x28, reg(s)), n = get2(0x26, reg(s));
  for (unsigned i = 0; i < n; i++) {
    char c = get(at + i, 4 * s + 3);
    if (i >= skip) Serial.print(c);
  }
  put2(0x28, reg(s), at + n);
  command(s, 0x40);
  Serial.print(' ');
}
void setup() {
  Serial.begin(115200);
  pinMode(SELECT, OUTPUT);
  digitalWrite(SELECT, HIGH);
  SPI.begin();
  SPI.beginTransaction(SPISettings(8000000, MSBFIRST, SPI_MODE0));
  Serial.println(get(0x39, 0));
  // A client: refused at a port where nobody is, served at another.
  open(0, 1, 50000);
  to(0, 7, 81);
  command(0, 0x04);
  while (status(0) == 0x15) {}
  Serial.print(status(0), HEX);
  open(0, 1, 50001);
  to(0, 7, 80);
  command(0, 0x04);
  while (status(0) == 0x15) {}
  Serial.println(status(0), HEX);
  send(0, "GET / HTTP/1.0\\r\\n");
  send(0, "\\r\\n");
  while (status(0) != 0x1c) {}
  print(0, 0);
  Serial.println(status(0), HEX);
  command(0, 0x08);
  while (status(0) != 0) {}
  // A server that is called at 100 ms.
  open(1, 1, 23);
  command(1, 0x02);
  while (status(1) == 0x14) {}
  while (get2(0x26, reg(1)) < 5) {}
  print(1, 0);
  send(1, "at your service");
  while (status(1) == 0x17) {}
  Serial.println(status(1), HEX);
  // Packets, one of them answered, one that comes by itself.
  open(2, 2, 8888);
  to(2, 9, 123);
  send(2, "what time is it");
  while (get2(0x26, reg(2)) == 0) {}
  Serial.println(get2(0x26, reg(2)));
  print(2, 8);
  while (get2(0x26, reg(2)) == 0) {}
  print(2, 8);
  Serial.println();
}
void loop() {}
"""
PEER = """
parts:
  net:
    type: w5500
    select: 10
    answers:
      - {port: 80, after: "\\r\\n\\r\\n", wait: 5 ms, text: "HTTP/1.0 200 OK", closes: true}
      - {port: 123, after: "time", text: "noon"}
    calls:
      - {at: 100 ms, port: 23, text: "hello", for: 50 ms}
      - {at: 300 ms, port: 8888, udp: true, text: "ping"}
    expect: ["GET / HTTP/1.0", "at your service", "what time"]
expect:
  - {part: net, connections: 1, refused: 1, calls_taken: 2, udp_sent: 1, udp_received: 2}
"""


@pytest.mark.parametrize("board", BOARDS)
def test_sockets_reach_the_peer_of_the_scenario(tmp_path: Path, board: str) -> None:
    status, said, report = run(tmp_path, "network", NETWORK, PEER, "400ms", *on(board))
    assert status == 0, said
    assert said.split("\n")[:6] == [
        "4",
        "017",
        "HTTP/1.0 200 OK 1C",
        "hello 1C",
        "12",
        "noon ping ",
    ], said
    net = report["parts"]["net"]
    assert net["heard"] == "GET / HTTP/1.0\r\n\r\nat your servicewhat time is it"
    assert (net["all_seen"], net["udp_lost"], net["calls_missed"]) == (True, 0, 0)


def test_what_the_sketch_does_not_send_is_missed(tmp_path: Path) -> None:
    scenario = PEER.replace('"what time"', '"what day"')
    status, said, _ = run(tmp_path, "network", NETWORK, scenario, "400ms", *on("sim"))
    assert status == 1
    assert "net" in said and "what day" in said, said
