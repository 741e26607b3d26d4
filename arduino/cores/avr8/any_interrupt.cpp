// attachInterrupt() with a number that is not known at compile time. pins_arduino.h handles
// constant numbers. The numbers of pin-change interrupts come from digitalPinToInterrupt() alone:
// any_change.cpp is linked if a source calls it with another pin than 2 or 3
// (tools/hocket/builder/pin_numbers.py).
#include "arduino/api/Interrupts.h"
#include "arduino/cores/avr8/any_change.h"
#include "pins_arduino.h"

extern "C" {

/// A number that no pin has changes nothing.
void hocket_attach_any(int interrupt, voidFuncPtr handler, int mode) {
  if (hocket::uno::is_external(interrupt)) {
    return hocket_attach_external(static_cast<uint8_t>(interrupt), handler, mode);
  }
  hocket_attach_any_change(interrupt, hocket::uno::with_argument(handler), nullptr, mode);
}

void hocket_detach_any(int interrupt) {
  if (hocket::uno::is_external(interrupt)) {
    return hocket_detach_external(static_cast<uint8_t>(interrupt));
  }
  hocket_detach_any_change(interrupt);
}

}  // extern "C"

// For C, and for code that takes the address: in C++ these functions are inline.
asm(".global attachInterrupt\n.set attachInterrupt, hocket_attach_any\n"
    ".global detachInterrupt\n.set detachInterrupt, hocket_detach_any");
