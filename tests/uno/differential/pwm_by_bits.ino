// PWM by compare units' bits alone, as libraries do it.
void setup() {
  pinMode(6, OUTPUT);
  pinMode(3, OUTPUT);
  pinMode(10, OUTPUT);
  TCCR0A |= _BV(COM0A1);
  OCR0A = 100;
  TCCR2A |= _BV(COM2B1);
  OCR2B = 40;
  TCCR1A |= _BV(COM1B1);
  OCR1B = 200;
}
void loop() {}
