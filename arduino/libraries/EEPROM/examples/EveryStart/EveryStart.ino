// Counts how often the board has started.
#include <EEPROM.h>

void setup() {
  Serial.begin(9600);
  unsigned long starts;
  EEPROM.get(0, starts);
  if (starts == 0xffffffff) starts = 0;  // never written
  EEPROM.put(0, ++starts);
  Serial.print("start ");
  Serial.println(starts);
}

void loop() {}
