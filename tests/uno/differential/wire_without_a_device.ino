#include <Wire.h>
void setup() {
  Serial.begin(9600);
  Wire.begin();
  Wire.beginTransmission(0x42);
  Serial.println(Wire.write(1));
  Serial.println(Wire.endTransmission() != 0);
}
void loop() {}
