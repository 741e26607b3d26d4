// Which devices are on the bus?
#include <Wire.h>

void setup() {
  Serial.begin(115200);
  Wire.begin();
}

void loop() {
  int found = 0;
  for (int address = 8; address < 120; address++) {
    Wire.beginTransmission(address);
    if (Wire.endTransmission() != 0) continue;
    Serial.print("a device at 0x");
    Serial.println(address, HEX);
    found++;
  }
  if (found == 0) Serial.println("no device");
  delay(5000);
}
