// A handler on a virtual CPU of its own answers, on its budget.
#include <Answer.h>

HOCKET_TRUSTED_PINS()

void setup() {
  attachInterruptVcpu(kPin, answer, RISING, 50us, 500us);
  ready();
}

void loop(1, 50us, 10ms) {
  delay(50);
}
