// Enables the interrupt of a port of which a pin has a handler now, in sketches with loops
// (pin_changes.S). Masked.
#include "arduino/cores/avr8/let_in.h"

extern "C" void hocket_let_in_changes(hocket::uno::LineSet line) {
  hocket::uno::hocket_storm.attached |= line;
  hocket::uno::let_in(line);
}
