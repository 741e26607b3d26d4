// noInterrupts() and interrupts(). Linked only into sketches that call them, which is how the
// runtime detects the use (Program::holds_handlers).
#include "arduino/api/Interrupts.h"
#include "arduino/runtime/system.h"

namespace {

/// State of the calling loop: each loop has its own sections.
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
