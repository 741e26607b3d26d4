// Leads a number of a pin-change interrupt to its port: links the interrupts of all three ports.
#include "arduino/cores/avr8/any_change.h"

#include "pins_arduino.h"

extern "C" {

void hocket_attach_any_change(int interrupt, voidFuncPtrParam handler, void* argument, int mode) {
  hocket::uno::attach_change(interrupt, handler, argument, mode);
}

void hocket_detach_any_change(int interrupt) {
  hocket::uno::detach_change(interrupt);
}

}  // extern "C"
