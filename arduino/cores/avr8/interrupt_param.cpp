// attachInterruptParam() for pins with interrupts of their own. A handler without argument passes
// the argument on, so that plain handlers do not pay for it.
#include <avr/pgmspace.h>

#include "arduino/api/Interrupts.h"
#include "arduino/cores/avr8/chip.h"
#include "pins_arduino.h"

namespace {

struct Handler {
  voidFuncPtrParam function;
  void* argument;
};
Handler handlers[hocket::uno::kExternalLines];

template <uint8_t kInterrupt>
void call() {
  handlers[kInterrupt].function(handlers[kInterrupt].argument);
}

}  // namespace

extern "C" void hocket_attach_external_param(uint8_t interrupt, voidFuncPtrParam handler, int mode,
                                             void* argument) {
  using hocket::uno::kExternalLines;
  if (interrupt >= kExternalLines || handler == nullptr) return;
  hocket_detach_external(interrupt);
  handlers[interrupt] = {handler, argument};
#ifdef __AVR_ATmega2560__
  static constexpr voidFuncPtr kCalls[] PROGMEM = {&call<0>, &call<1>, &call<2>,
                                                   &call<3>, &call<4>, &call<5>};
  static_assert(sizeof kCalls == kExternalLines * sizeof *kCalls);
  const auto place = pgm_read_word(&kCalls[interrupt]);
  hocket_attach_external(interrupt, reinterpret_cast<voidFuncPtr>(place), mode);
#else
  hocket_attach_external(interrupt, interrupt == 0 ? &call<0> : &call<1>, mode);
#endif
}
