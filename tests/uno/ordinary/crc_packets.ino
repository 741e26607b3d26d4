// says: 29B1|good|broken seen|31 97
// Packets with a checksum, as over a radio.
#include <util/crc16.h>

uint16_t crc(const uint8_t *data, byte size, uint16_t start = 0xffff) {
  for (byte i = 0; i < size; i++) {
    start ^= (uint16_t)data[i] << 8;
    for (byte bit = 0; bit < 8; bit++) start = start & 0x8000 ? start << 1 ^ 0x1021 : start << 1;
  }
  return start;
}

struct Packet {
  uint8_t length;
  uint8_t data[12];
  uint16_t check;
};
Packet sent;
volatile bool there;

void setup() { Serial.begin(115200); }

void loop(1, 5, 50) {
  delay(50);
  static byte round_;
  if (there || round_ > 2) return;
  sent.length = 9;
  memcpy(sent.data, "123456789", 9);
  sent.check = crc(sent.data, 9);
  if (round_ == 0) Serial.println(sent.check, HEX);
  if (round_ == 1) sent.data[3] ^= 4;
  there = ++round_ <= 2;
}

void loop(2, 5, 50) {
  delay(50);
  if (!there) return;
  Serial.println(crc(sent.data, sent.length) == sent.check ? "good" : "broken seen");
  if (sent.data[3] != '4') Serial.println(String(sent.data[0], HEX) + " " + String(_crc8_ccitt_update(0, 0x31), HEX));
  there = false;
}
