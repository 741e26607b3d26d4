// Pin-change interrupts: one for all pins of a port (data sheet, 13.2.4 to 13.2.9). The pin is
// found by comparing with the levels that were read last.
//
//   changed = now ^ last        a pin that changed twice before the levels are read is not seen
//   due     = changed & (rising pins that are high | falling pins that are low)
//
// Each port has its own file (pin_change_b.cpp …), linked if a handler may be attached to one of
// its pins. Its vector leads here unless a library defines the vector (pin_change_vectors.S).
#pragma once

#include <avr/io.h>

#include "arduino/api/Interrupts.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/let_in.h"

extern "C" void hocket_handler_ended(uint16_t began, uint8_t flags) __attribute__((weak));
asm(".weak hocket_handler_ended");  // clang for AVR says only that it is undefined

namespace hocket::uno {

/// `Group` provides the port's input register, the mask of its enabled pins, the number of its
/// interrupt (PCIE0 … PCIE2) and its number of pins.
template <class Group>
class PinChanges {
 public:
  /// Any context. A level mode (LOW, HIGH) attaches nothing, because a level does not interrupt.
  static void attach(uint8_t pin, voidFuncPtrParam handler, void* argument, int mode) {
    detach(pin);
    if (pin >= Group::kPins || handler == nullptr) return;
    const auto bit = static_cast<uint8_t>(1 << pin);
    const Masked masked;
    handlers[pin] = {handler, argument};
    if (mode == RISING || mode == CHANGE) rising = static_cast<uint8_t>(rising | bit);
    if (mode == FALLING || mode == CHANGE) falling = static_cast<uint8_t>(falling | bit);
    if (((rising | falling) & bit) != 0) {
      Group::enabled() = static_cast<uint8_t>(Group::enabled() | bit);
      // Discards changes from before.
      last = static_cast<uint8_t>((last & ~bit) | (Group::input() & bit));
      hocket_storm.attached |= static_cast<uint8_t>(1 << (kFirstPort + Group::kNumber));
      let_in(static_cast<uint8_t>(1 << (kFirstPort + Group::kNumber)));
    }
  }

  /// Any context.
  static void detach(uint8_t pin) {
    if (pin >= Group::kPins) return;
    const auto others = static_cast<uint8_t>(~(1 << pin));
    const Masked masked;
    Group::enabled() = static_cast<uint8_t>(Group::enabled() & others);
    rising = static_cast<uint8_t>(rising & others);
    falling = static_cast<uint8_t>(falling & others);
  }

  /// Masked: calls the handlers of the pins that have changed.
  static void interrupt() {
#ifndef HOCKET_WITHOUT_LOOPS  // there timer 1 belongs to the sketch
    const uint16_t began = TCNT1;
    const uint8_t flags = TIFR1;
#endif
    const uint8_t now = Group::input();
    const auto changed = static_cast<uint8_t>(now ^ last);
    last = now;
    auto due = static_cast<uint8_t>(changed & ((rising & now) | (falling & ~now)));
    for (const Handler* handler = handlers; due != 0; ++handler) {
      if ((due & 1) != 0) handler->function(handler->argument);
      due = static_cast<uint8_t>(due >> 1);
    }
#ifndef HOCKET_WITHOUT_LOOPS
    if (&hocket_handler_ended != nullptr) hocket_handler_ended(began, flags);
#endif
  }

 private:
  struct Handler {
    voidFuncPtrParam function;
    void* argument;
  };
  inline static uint8_t last;
  inline static uint8_t rising;
  inline static uint8_t falling;
  inline static Handler handlers[Group::kPins];
};

}  // namespace hocket::uno

/// Defines everything of one port. `letter` occurs in the names of its functions (pins_arduino.h),
/// its vector and its registers.
#define HOCKET_PIN_CHANGES(letter, count, number)                                           \
  HOCKET_REFILL_VECTOR                                                                      \
  namespace {                                                                               \
  struct Group {                                                                            \
    static constexpr uint8_t kPins = count;                                                 \
    static constexpr uint8_t kNumber = number;                                              \
    static volatile uint8_t& input() {                                                      \
      return PIN##letter;                                                                   \
    }                                                                                       \
    static volatile uint8_t& enabled() {                                                    \
      return PCMSK##number;                                                                 \
    }                                                                                       \
  };                                                                                        \
  using Changes = hocket::uno::PinChanges<Group>;                                           \
  }                                                                                         \
  extern "C" __attribute__((signal)) void hocket_pin_change_##letter();                     \
  void hocket_pin_change_##letter() {                                                       \
    Changes::interrupt();                                                                   \
  }                                                                                         \
  void hocket_attach_change_##letter(uint8_t pin, voidFuncPtrParam handler, void* argument, \
                                     int mode) {                                            \
    Changes::attach(pin, handler, argument, mode);                                          \
  }                                                                                         \
  void hocket_detach_change_##letter(uint8_t pin) {                                         \
    Changes::detach(pin);                                                                   \
  }
