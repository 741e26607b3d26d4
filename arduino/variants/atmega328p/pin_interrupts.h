// attachInterrupt() on the Uno. Every pin has an interrupt. Pins 2 and 3 have their own (numbers 0
// and 1). The others share the pin-change interrupt of their port (number: kChanges plus the pin).
//
//   attachInterrupt(digitalPinToInterrupt(7), …)   7 is a constant: links what pin 7 needs
//   attachInterrupt(digitalPinToInterrupt(pin), …) links what any pin may need
#pragma once

#include "api/Interrupts.h"

extern "C" {
// Each is linked only if it is used (arduino/cores/avr8/pin_change_*.cpp).
void hocket_attach_change_B(uint8_t bit, voidFuncPtrParam handler, void* argument, int mode);
void hocket_attach_change_C(uint8_t bit, voidFuncPtrParam handler, void* argument, int mode);
void hocket_attach_change_D(uint8_t bit, voidFuncPtrParam handler, void* argument, int mode);
void hocket_detach_change_B(uint8_t bit);
void hocket_detach_change_C(uint8_t bit);
void hocket_detach_change_D(uint8_t bit);
}

#define HOCKET_IS_INTERRUPT_(number) \
  ((number) == 0 || (number) == 1 || \
   ((number) >= HOCKET_PIN_CHANGES_FROM && (number) < HOCKET_PIN_CHANGES_FROM + 20))
#define HOCKET_INTERRUPTS_ARE_ \
  "0 (pin 2), 1 (pin 3) or digitalPinToInterrupt(pin) for a pin from 0 to 19"
#define HOCKET_LEVEL_PINS_ARE_ "pins 2 and 3"

namespace hocket {
namespace uno {

constexpr bool is_external(int interrupt) {
  return interrupt == 0 || interrupt == 1;
}
constexpr bool is_change(int interrupt) {
  return interrupt >= HOCKET_PIN_CHANGES_FROM && interrupt < HOCKET_PIN_CHANGES_FROM + 20;
}

/// SAFETY: an argument is passed in registers that every function may change (avr-gcc's calling
/// convention), so a function without parameters may be called with one.
HOCKET_INLINE_ voidFuncPtrParam with_argument(voidFuncPtr handler) {
  return reinterpret_cast<voidFuncPtrParam>(handler);
}

HOCKET_INLINE_ void attach_change(int interrupt, voidFuncPtrParam handler, void* argument,
                                  int mode) {
  if (!is_change(interrupt)) return;
  const auto pin = static_cast<uint8_t>(interrupt - HOCKET_PIN_CHANGES_FROM);
  if (pin < 8) return hocket_attach_change_D(pin, handler, argument, mode);
  if (pin < 14)
    return hocket_attach_change_B(static_cast<uint8_t>(pin - 8), handler, argument, mode);
  hocket_attach_change_C(static_cast<uint8_t>(pin - 14), handler, argument, mode);
}

HOCKET_INLINE_ void detach_change(int interrupt) {
  if (!is_change(interrupt)) return;
  const auto pin = static_cast<uint8_t>(interrupt - HOCKET_PIN_CHANGES_FROM);
  if (pin < 8) return hocket_detach_change_D(pin);
  if (pin < 14) return hocket_detach_change_B(static_cast<uint8_t>(pin - 8));
  hocket_detach_change_C(static_cast<uint8_t>(pin - 14));
}

}  // namespace uno
}  // namespace hocket

#include "arduino/variants/avr8/attach_interrupt.h"
