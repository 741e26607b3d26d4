// part: s: {type: i2c_registers, address: 0x48, registers: [{register: 0, is: 0x19}, {register: 1, is: 0x80}]}
// says: found 0x48|25.50 C|25.50 C
// A thermometer on the bus; a second loop keeps the light going.
#include <Wire.h>

volatile unsigned turns;

float celsius() {
  Wire.beginTransmission(0x48);
  Wire.write(0);
  Wire.endTransmission(false);
  Wire.requestFrom(0x48, 2);
  byte high = Wire.read(), low = Wire.read();
  return (int16_t)(high << 8 | low) / 256.0;
}

void setup() {
  Serial.begin(115200);
  Wire.begin();
  for (byte address = 8; address < 0x78; address++) {
    Wire.beginTransmission(address);
    if (Wire.endTransmission() == 0) {
      Serial.print("found 0x");
      Serial.println(address, HEX);
    }
  }
}

void loop(1, 20, 100) {
  delay(100);
  static byte round_;
  if (round_++ < 2) {
    Serial.print(celsius());
    Serial.println(" C");
  }
}

void loop(2, 1, 20) {
  digitalWrite(LED_BUILTIN, ++turns & 1);
  delay(20);
}
