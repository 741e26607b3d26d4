// As loops-3, but a handler of a pin wakes the third loop.
#include "hocket/Semaphore.h"
Semaphore edge(0);
void came() { edge.v(); }
void setup() {
  pinMode(13, OUTPUT); pinMode(12, OUTPUT); pinMode(8, OUTPUT);
  attachInterrupt(digitalPinToInterrupt(2), came, RISING);
}
void loop(1, 10, 100) { digitalWrite(13, HIGH); delay(500); digitalWrite(13, LOW); delay(500); }
void loop(2, 10, 100) { digitalWrite(12, HIGH); delay(200); digitalWrite(12, LOW); delay(300); }
void loop(3, 10, 100) { edge.p(); digitalWrite(8, HIGH); delay(70); digitalWrite(8, LOW); }
