// PWM of 50 Hz by timer 1's own top, as libraries for it make it.
void setup() {
  pinMode(9, OUTPUT);
  TCCR1A = _BV(COM1A1);
  TCCR1B = _BV(WGM13) | _BV(CS11);
  ICR1 = 20000;
  OCR1A = 1500;
}
void loop() { delay(3); }
