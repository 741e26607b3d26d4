// A sketch with interrupt vectors of its own, beside attachInterrupt() for a pin of another port and
// for one that is not known while compiling.
#include <avr/interrupt.h>

volatile int ticks, changes, plain;
int pin = 7;

ISR(TIMER2_OVF_vect) { ticks++; }
ISR(PCINT0_vect) { changes++; }
ISR(PCINT1_vect, ISR_ALIASOF(PCINT0_vect));
EMPTY_INTERRUPT(TIMER0_COMPB_vect)
ISR(TIMER1_OVF_vect, ISR_NOBLOCK) { plain++; }

void change() {}

void setup() {
  Serial.begin(57600);
  attachInterrupt(digitalPinToInterrupt(pin), change, CHANGE);
  TCCR2A = 0;
  TCCR2B = 1 << CS20;
  TIMSK2 = 1 << TOIE2;
  pinMode(8, OUTPUT);
  pinMode(A0, OUTPUT);
  PCMSK0 = 1;
  PCMSK1 = 1;
  PCICR |= 3;
  for (int i = 0; i < 5; i++) {
    digitalWrite(8, HIGH);
    delayMicroseconds(20);
    digitalWrite(A0, HIGH);
    delayMicroseconds(20);
    digitalWrite(8, LOW);
    delayMicroseconds(20);
    digitalWrite(A0, LOW);
  }
  cli();
  int before = ticks;
  sei();
  delay(16);
  Serial.println(ticks - before);
  Serial.println(changes);
}
void loop() {}
