#include <EEPROM.h>
struct Settings { int a; float b; char c[4]; } s = {7, 2.5, "abc"}, t;
void setup() {
  Serial.begin(9600);
  EEPROM.write(3, 99);
  Serial.println(EEPROM.read(3));
  EEPROM.put(20, s);
  EEPROM.get(20, t);
  Serial.println(t.a);
  Serial.println(t.b);
  Serial.println(t.c);
  EEPROM.update(3, 98);
  Serial.println(EEPROM[3]);
  Serial.println(EEPROM.length());
}
void loop() {}
