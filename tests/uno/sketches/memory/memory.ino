// The EEPROM: single bytes, variables, references, and two loops that write at the same time.
#include <EEPROM.h>

struct Saved {
  long number;
  float fraction;
};

void setup() {
  Serial.begin(57600);
  Serial.println(EEPROM.length());
  Serial.println(EEPROM.read(5));
  unsigned long before = micros();
  EEPROM.write(5, 7);
  EEPROM.write(6, 8);
  Serial.println((micros() - before) / 1000);
  EEPROM[5] += 3;
  EEPROM[6]++;
  Serial.println(EEPROM[5]);
  Serial.println(EEPROM.read(6));
  EEPROM.put(100, Saved{-123456, 1.5});
  Saved back;
  EEPROM.get(100, back);
  Serial.println(back.number);
  Serial.println(back.fraction);
  before = micros();
  EEPROM.put(100, back);
  Serial.println((micros() - before) / 1000);
  EEPROM.write(-1, 1);
  EEPROM.write(1024, 1);
  Serial.println(EEPROM.read(1024));
  int sum = 0;
  for (EEPtr at = EEPROM.begin(); at != EEPROM.end(); ++at) sum += *at == 255;
  Serial.println(sum);
}

void loop(1, 10, 50, stackBytes(220)) {
  static int n = 0;
  if (n < 10) EEPROM.update(200 + n, n);
  if (n == 20) {
    int good = 0;
    for (int i = 0; i < 10; i++) good += EEPROM.read(200 + i) == i && EEPROM.read(300 + i) == i + 100;
    Serial.println(good);
  }
  n++;
  delay(5);
}

void loop(2, 10, 50) {
  static int n = 0;
  if (n < 10) EEPROM.update(300 + n, n + 100);
  n++;
  delay(5);
}
