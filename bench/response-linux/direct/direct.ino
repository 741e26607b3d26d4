// A handler in the interrupt itself answers.
#include <Answer.h>

HOCKET_TRUSTED_PINS()

volatile bool answered;

void rose() {
  answer();
  answered = true;
}

void attach() {
  attachInterruptDirect(kPin, rose, RISING, 20us, 1ms);
}

void setup() {
  attach();
  ready();
}

// The board knows when the edges of its scenario come, and takes those that come from outside for as early as the
// attaching, which is soon too soon: so it is attached again after each.
void loop(1, 50us, 1ms) {
  if (answered) {
    answered = false;
    delay(1);
    detachInterrupt(kPin);
    attach();
  }
  delay(1);
}
