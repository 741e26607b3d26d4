// A pin-change interrupt by its registers.
ISR(PCINT2_vect) { PINB = 1; }
void setup() {
  DDRB |= 1;
  PCMSK2 = 1 << PCINT20;
  PCICR = 1 << PCIE2;
}
void loop() {}
