// Bytes by SoftwareSerial, seen at its pin.
#include <SoftwareSerial.h>
SoftwareSerial radio(10, 11);
void setup() { radio.begin(9600); }
void loop() {
  radio.print("Uno");
  delay(30);
}
