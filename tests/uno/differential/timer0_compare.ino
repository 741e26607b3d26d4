// A compare match of the clock's own timer, each 1.024 ms.
volatile unsigned int n;
ISR(TIMER0_COMPA_vect) { if (++n % 20 == 0) PINB = 1; }
void setup() {
  DDRB |= 1;
  OCR0A = 0x7f;
  TIMSK0 |= 1 << OCIE0A;
}
void loop() { delay(5); }
