// Bytes of SPI without a device.
#include <SPI.h>
void setup() {
  Serial.begin(9600);
  SPI.begin();
  SPI.beginTransaction(SPISettings(1000000, MSBFIRST, SPI_MODE0));
  digitalWrite(SS, LOW);
  SPI.transfer(0xA5);
  SPI.transfer16(0x1234);
  digitalWrite(SS, HIGH);
  SPI.endTransaction();
  Serial.println("sent");
}
void loop() {}
