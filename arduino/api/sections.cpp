// Sections that keep handlers of pins back. Linked only into sketches that have them: that is how
// the runtime knows (Program::holds_handlers).
#include "arduino/api/Interrupts.h"
#include "arduino/runtime/system.h"

namespace {

/// Of the loop that asks: each has its own sections.
thread_local bool held = false;

}  // namespace

extern "C" {

bool hocket_handlers_held(void) {
  return held;
}

void interrupts(void) {
  held = false;
  hocket::sys::hold_pin_handlers(false);
}
void noInterrupts(void) {
  held = true;
  hocket::sys::hold_pin_handlers(true);
}

}  // extern "C"
