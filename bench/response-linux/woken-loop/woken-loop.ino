// A loop that sleeps answers; a handler on a virtual CPU of its own wakes it.
#include <Answer.h>

#include "hocket/Semaphore.h"

HOCKET_TRUSTED_PINS()

Semaphore edges(0);

void rose() {
  edges.v();
}

void setup() {
  attachInterruptVcpu(kPin, rose, RISING, 50us, 500us);
  ready();
}

void loop(1, 50us, 500us) {
  edges.p();
  answer();
}
