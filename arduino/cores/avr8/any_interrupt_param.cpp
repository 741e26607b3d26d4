// attachInterruptParam() with a number that is not known at compile time: see any_interrupt.cpp.
#include "arduino/api/Interrupts.h"
#include "arduino/cores/avr8/any_change.h"
#include "pins_arduino.h"

extern "C" {

void hocket_attach_any_param(int interrupt, voidFuncPtrParam handler, int mode, void* argument) {
  if (hocket::uno::is_external(interrupt)) {
    return hocket_attach_external_param(static_cast<uint8_t>(interrupt), handler, mode, argument);
  }
  hocket_attach_any_change(interrupt, handler, argument, mode);
}

}  // extern "C"

asm(".global attachInterruptParam\n.set attachInterruptParam, hocket_attach_any_param");
