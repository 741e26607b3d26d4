// Calls and detaches the handlers of pins (hocket/InterruptVcpu.h). attachInterrupt() and
// attachInterruptVcpu() both need this file.
#include "hocket/InterruptVcpu.h"

namespace hocket::services {

void call_handler() {
  sys::PinCall call;
  sys::next_pin_call(call);
  call.handler(call.parameter);
}

}  // namespace hocket::services

extern "C" void detachInterrupt(int interrupt) {
  static_cast<void>(hocket::sys::detach_pin(static_cast<unsigned>(interrupt)));
}
