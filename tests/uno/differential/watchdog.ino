#include <avr/wdt.h>
void setup() {
  wdt_disable();
  Serial.begin(9600);
  wdt_enable(WDTO_2S);
}
void loop() {
  wdt_reset();
  Serial.println("fed");
  delay(100);
}
