// Timer 2 beside a clock that goes on.
volatile unsigned int n;
ISR(TIMER2_COMPA_vect) { if (++n % 10 == 0) PIND = 1 << 7; }
void setup() {
  DDRD |= 1 << 7;
  TCCR2A = 1 << WGM21;
  TCCR2B = 1 << CS22;
  OCR2A = 249;
  TIMSK2 = 1 << OCIE2A;
}
void loop() { delay(1000); }
