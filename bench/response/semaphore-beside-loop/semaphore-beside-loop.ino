// As semaphore, out of a loop of lower priority that computes without a pause.

#include "hocket/Semaphore.h"

Semaphore edges(0);
volatile unsigned long sum;

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

void loop(2, 10, 100) {
  sum += 1;
}
