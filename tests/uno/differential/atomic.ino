#include <util/atomic.h>
volatile long ticks;
ISR(TIMER2_COMPA_vect) { ticks += 100000; }
void setup() {
  Serial.begin(9600);
  TCCR2A = 1 << WGM21;
  TCCR2B = 7;
  OCR2A = 155;
  TIMSK2 = 1 << OCIE2A;
  long copy;
  do {
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { copy = ticks; }
  } while (copy < 1000000);
  Serial.println(copy);
}
void loop() {}
