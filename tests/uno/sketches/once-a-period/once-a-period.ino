// Each edge at pin 2 wakes loop 1, at most once in its period. Loop 2 is its company.
#include "hocket/Semaphore.h"
Semaphore edge(0);
void came() { edge.v(); }
void setup() {
  pinMode(8, OUTPUT);
  attachInterrupt(digitalPinToInterrupt(2), came, RISING);
}
void loop(1, 5, 20) {
  edge.p();
  digitalWrite(8, HIGH);
  delayMicroseconds(50);
  digitalWrite(8, LOW);
}
void loop(2, 30, 100) { for (;;) ; }
