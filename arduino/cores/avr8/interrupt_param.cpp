// attachInterruptParam() for pins 2 and 3. A handler without argument passes the argument on, so
// that plain handlers do not pay for it.
#include "arduino/api/Interrupts.h"
#include "pins_arduino.h"

namespace {

struct Handler {
  voidFuncPtrParam function;
  void* argument;
};
Handler handlers[2];

template <uint8_t kInterrupt>
void call() {
  handlers[kInterrupt].function(handlers[kInterrupt].argument);
}

}  // namespace

extern "C" void hocket_attach_external_param(uint8_t interrupt, voidFuncPtrParam handler, int mode,
                                             void* argument) {
  if (interrupt > 1 || handler == nullptr) return;
  hocket_detach_external(interrupt);
  handlers[interrupt] = {handler, argument};
  hocket_attach_external(interrupt, interrupt == 0 ? &call<0> : &call<1>, mode);
}
