// Three answers to edges, each on a pin of its own: from the interrupt itself, from a handler on a virtual CPU, and
// from a loop that a handler wakes. The edges never come at once (pin_to_pin.py).
#include "hocket/Semaphore.h"

Semaphore rises(0);

void direct() { digitalWrite(8, HIGH); }
void virtual_cpu() { digitalWrite(9, HIGH); }
void wake() { rises.v(); }

void setup() {
  for (int pin = 8; pin <= 10; ++pin) pinMode(pin, OUTPUT);
  attachInterruptDirect(2, direct, RISING, 20us, 1ms);
  attachInterruptVcpu(3, virtual_cpu, RISING, 100us, 1ms);
  attachInterruptVcpu(4, wake, RISING, 100us, 1ms);
}

void loop(1, 100us, 1ms) {
  rises.p();
  digitalWrite(10, HIGH);
}

// Ready for the next edges, half a period later.
void loop(2, 100us, 1ms) {
  if (digitalRead(5)) for (int pin = 8; pin <= 10; ++pin) digitalWrite(pin, LOW);
  delay(1);
}
