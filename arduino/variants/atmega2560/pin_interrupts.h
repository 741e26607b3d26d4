// attachInterrupt() on a Mega. Pins 2, 3 and 21 to 18 have interrupts of their own (numbers 0 to
// 5). Pins 10 to 15, 50 to 53 and A8 to A15 share the pin-change interrupt of their port (number:
// kChanges plus the pin). The others have none. Pin 0 has a pin change, too (PCINT8): as the
// receiver of Serial it is left alone.
//
//   attachInterrupt(digitalPinToInterrupt(11), …)   11 is a constant: links what pin 11 needs
//   attachInterrupt(digitalPinToInterrupt(pin), …)  links what any pin may need
#pragma once

#include "api/Interrupts.h"

extern "C" {
// Each is linked only if it is used (arduino/cores/avr8/pin_change_*.cpp).
void hocket_attach_change_B(uint8_t bit, voidFuncPtrParam handler, void* argument, int mode);
void hocket_attach_change_J(uint8_t bit, voidFuncPtrParam handler, void* argument, int mode);
void hocket_attach_change_K(uint8_t bit, voidFuncPtrParam handler, void* argument, int mode);
void hocket_detach_change_B(uint8_t bit);
void hocket_detach_change_J(uint8_t bit);
void hocket_detach_change_K(uint8_t bit);
}

#define HOCKET_IS_INTERRUPT_(number)                                          \
  (((number) >= 0 && (number) < 6) || ((number) >= HOCKET_PIN_CHANGES_FROM && \
                                       HOCKET_HAS_CHANGES_((number) - HOCKET_PIN_CHANGES_FROM)))
#define HOCKET_INTERRUPTS_ARE_                                                                 \
  "0 to 5 (pins 2, 3, 21, 20, 19, 18) or digitalPinToInterrupt(pin) for a pin from 10 to 15, " \
  "from 50 to 53 or from A8 to A15"
#define HOCKET_LEVEL_PINS_ARE_ "pins 2, 3 and 18 to 21"

namespace hocket {
namespace uno {

constexpr bool is_external(int interrupt) {
  return interrupt >= 0 && interrupt < 6;
}
constexpr bool is_change(int interrupt) {
  return interrupt >= HOCKET_PIN_CHANGES_FROM &&
         HOCKET_HAS_CHANGES_(interrupt - HOCKET_PIN_CHANGES_FROM);
}

/// SAFETY: an argument is passed in registers that every function may change (avr-gcc's calling
/// convention), so a function without parameters may be called with one.
HOCKET_INLINE_ voidFuncPtrParam with_argument(voidFuncPtr handler) {
  return reinterpret_cast<voidFuncPtrParam>(handler);
}

/// The pin's bit in its port's mask: PB0 to PB3 are pins 53 to 50, PB4 to PB7 are 10 to 13; PCMSK1
/// has PJ0 (pin 15) at bit 1; port K has A8 to A15.
constexpr uint8_t change_bit(uint8_t pin) {
  return static_cast<uint8_t>(pin >= 62   ? pin - 62
                              : pin >= 50 ? 53 - pin
                              : pin >= 14 ? 16 - pin
                                          : pin - 6);
}
HOCKET_INLINE_ void attach_change(int interrupt, voidFuncPtrParam handler, void* argument,
                                  int mode) {
  if (!is_change(interrupt)) return;
  const auto pin = static_cast<uint8_t>(interrupt - HOCKET_PIN_CHANGES_FROM);
  const uint8_t bit = change_bit(pin);
  if (pin >= 62) return hocket_attach_change_K(bit, handler, argument, mode);
  if (pin == 14 || pin == 15) return hocket_attach_change_J(bit, handler, argument, mode);
  hocket_attach_change_B(bit, handler, argument, mode);
}

HOCKET_INLINE_ void detach_change(int interrupt) {
  if (!is_change(interrupt)) return;
  const auto pin = static_cast<uint8_t>(interrupt - HOCKET_PIN_CHANGES_FROM);
  const uint8_t bit = change_bit(pin);
  if (pin >= 62) return hocket_detach_change_K(bit);
  if (pin == 14 || pin == 15) return hocket_detach_change_J(bit);
  hocket_detach_change_B(bit);
}

}  // namespace uno
}  // namespace hocket

#include "arduino/variants/avr8/attach_interrupt.h"
