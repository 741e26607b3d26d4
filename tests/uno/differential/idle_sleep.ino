// Idle sleep that the clock's interrupt ends.
#include <avr/sleep.h>
void setup() {
  pinMode(8, OUTPUT);
  set_sleep_mode(SLEEP_MODE_IDLE);
}
void loop() {
  unsigned long begin = millis();
  while (millis() - begin < 20) sleep_mode();
  PINB = 1;
}
