// Pin 2 rises: the handler gives, a loop that waits raises pin 3. Nothing else happens.

#include "hocket/Semaphore.h"

Semaphore edges(0);

void answer() {
  edges.v();
}

void setup() {
  pinMode(2, INPUT);
  pinMode(3, OUTPUT);
  attachInterrupt(digitalPinToInterrupt(2), answer, RISING);
}

void loop(1, 40, 50) {
  edges.p();
  digitalWrite(3, HIGH);
  delayMicroseconds(5);
  digitalWrite(3, LOW);
}
