// A loop looks at the input without a pause, for half of the core's time.
#include <Answer.h>

HOCKET_TRUSTED_PINS()

uint32_t before;

void setup() {
  ready();
}

void loop(1, 500us, 1ms) {
  const uint32_t now = chip[kIn];
  if (now > before) answer();
  before = now;
}
