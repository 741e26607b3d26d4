// A modem at pins 8 and 9 is asked, and a GPS module at pin 4 talks all the time. One line listens at
// a time: the one whose begin() or listen() was last.
#include <SoftwareSerial.h>

SoftwareSerial gps(4, 3), modem(8, 9);

void setup() {
  Serial.begin(115200);
  gps.begin(9600);
  modem.begin(9600);  // listens now, gps no longer does
  modem.print("AT\r");
  Serial.println(modem.readStringUntil('\n'));
  gps.listen();
}

void loop() {
  while (gps.available()) Serial.write(gps.read());
  delay(10);
}
