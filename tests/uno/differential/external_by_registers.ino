// INT0 by its registers and a vector of the sketch's own.
ISR(INT0_vect) { PINB = 1; }
void setup() {
  DDRB |= 1;
  EICRA = 1 << ISC01;
  EIMSK = 1 << INT0;
}
void loop() {}
