// Loops, a periodic one, and time as sketches see it; the test lets the clock begin before its wraps.
//   pin 13  turned over by loop 1 after each delay(20)
//   pin 7   turned over by loop 2 every 50 ms
//   pin A0  turned over when millis() or micros() has not passed as delay() says
#include <avr/io.h>

void setup() {
  pinMode(13, OUTPUT);
  pinMode(7, OUTPUT);
  pinMode(A0, OUTPUT);
}

void loop(1, 10, 40) {
  static unsigned long milliseconds = millis();
  static unsigned long microseconds = micros();
  delay(20);
  const unsigned long ms = millis(), us = micros();
  const unsigned long passed_ms = ms - milliseconds, passed_us = us - microseconds;
  if (passed_ms < 20 || passed_ms > 25 || passed_us < 20000 || passed_us > 25000) PORTC ^= 1 << PC0;
  milliseconds = ms;
  microseconds = us;
  PORTB ^= 1 << PB5;
}

void periodic(2, 2ms, 50ms) {
  PORTD ^= 1 << PD7;
}
