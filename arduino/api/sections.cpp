// Sections that keep handlers of pins back. Linked only into sketches that have them: that is how
// the runtime knows (Program::holds_handlers).
#include "arduino/api/Interrupts.h"
#include "arduino/runtime/system.h"

extern "C" {

void interrupts(void) {
  hocket::sys::hold_pin_handlers(false);
}
void noInterrupts(void) {
  hocket::sys::hold_pin_handlers(true);
}

}  // extern "C"
