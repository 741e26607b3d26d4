// attachInterrupt() for pins 2 and 3: a handler runs in the interrupt itself, masked, as on every
// Uno. It must not wait: no delay(), no Serial when its buffer is full.
#include "arduino/api/Interrupts.h"

#include <avr/io.h>

#include "pins_arduino.h"
#include "ports/avr8/port.h"

namespace {
voidFuncPtr handlers[2];
}

HOCKET_AVR8_HANDLER(INT0_vect) {
  handlers[0]();
}
HOCKET_AVR8_HANDLER(INT1_vect) {
  handlers[1]();
}

extern "C" {

/// A mode that is not there is RISING. (Data sheet, 13.2.1.)
void hocket_attach_external(uint8_t interrupt, voidFuncPtr handler, int mode) {
  if (interrupt > 1 || handler == nullptr) return;
  const int sense = mode == LOW ? 0 : mode == CHANGE ? 1 : mode == FALLING ? 2 : 3;
  const auto shift = static_cast<uint8_t>(2 * interrupt);
  const uint8_t state = SREG;
  asm volatile("cli" ::: "memory");
  hocket_detach_external(interrupt);
  handlers[interrupt] = handler;
  EICRA = static_cast<uint8_t>((EICRA & ~(3 << shift)) | (sense << shift));
  EIFR = static_cast<uint8_t>(1 << interrupt);  // edges of the past do not count
  EIMSK = static_cast<uint8_t>(EIMSK | (1 << interrupt));
  SREG = state;
}

void hocket_detach_external(uint8_t interrupt) {
  if (interrupt > 1) return;
  const uint8_t state = SREG;
  asm volatile("cli" ::: "memory");
  EIMSK = static_cast<uint8_t>(EIMSK & ~(1 << interrupt));
  SREG = state;
}

}  // extern "C"
