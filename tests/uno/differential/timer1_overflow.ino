// Timer 1, loaded anew in its overflow's interrupt.
ISR(TIMER1_OVF_vect) { TCNT1 = 65536 - 625; PORTB ^= 1; }
void setup() {
  DDRB |= 1;
  TCCR1A = 0;
  TCCR1B = 1 << CS12;
  TCNT1 = 65536 - 625;
  TIMSK1 = 1 << TOIE1;
}
void loop() {}
