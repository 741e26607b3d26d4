// The same at a rate at which the library counts cycles.
#include <SoftwareSerial.h>
SoftwareSerial radio(10, 11);
void setup() { radio.begin(57600); }
void loop() {
  radio.print("fast");
  delay(20);
}
