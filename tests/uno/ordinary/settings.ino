// says: first start|speed 120 name rover|speed 125 saved
// Settings in EEPROM, with a mark and a checksum.
#include <EEPROM.h>

struct Settings {
  uint16_t mark;
  int speed;
  char name[8];
  uint8_t sum;
} now;

uint8_t check(const Settings &s) {
  uint8_t sum = 0x55;
  const uint8_t *bytes = (const uint8_t *)&s;
  for (size_t i = 0; i < offsetof(Settings, sum); i++) sum = sum * 31 + bytes[i];
  return sum;
}

void save() {
  now.sum = check(now);
  EEPROM.put(0, now);
}

void setup() {
  Serial.begin(115200);
  EEPROM.get(0, now);
  if (now.mark != 0xbeef || now.sum != check(now)) {
    Serial.println("first start");
    now = {0xbeef, 120, "rover", 0};
    save();
  }
}

void loop(1, 20, 100) {
  delay(100);
  static byte round_;
  Settings kept;
  EEPROM.get(0, kept);
  if (round_ == 0) Serial.println("speed " + String(kept.speed) + " name " + kept.name);
  if (round_ == 1) {
    now.speed += 5;
    save();
    EEPROM.get(0, kept);
    if (kept.sum == check(kept)) Serial.println("speed " + String(kept.speed) + " saved");
  }
  if (round_ < 3) round_++;
}

void loop(2, 1, 10) { delay(10); }
