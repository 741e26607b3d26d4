// The registers of each pin, for calls whose pin is known only at run time: a table in flash
// (pins.cpp).
#pragma once

#include <avr/io.h>
#include <avr/pgmspace.h>
#include <stdint.h>

#include "arduino/api/Common.h"

namespace hocket::uno {

inline constexpr pin_size_t kPins = 20;

/// A pin's input register (the direction and output registers follow it) and its bit; and the
/// control register and bit of its PWM timer, 0: none. Addresses fit into a byte.
struct Place {
  uint8_t input;
  uint8_t bit;
  uint8_t timer;
  uint8_t turns;
};

constexpr uint8_t kPinD = 0x29, kPinB = 0x23, kPinC = 0x26;
constexpr uint8_t kTccr0a = 0x44, kTccr1a = 0x80, kTccr2a = 0xb0;

using PinRegister = volatile uint8_t*;

inline PinRegister at(uint8_t address) {
  return reinterpret_cast<PinRegister>(static_cast<uint16_t>(address));
}

}  // namespace hocket::uno

extern "C" const hocket::uno::Place hocket_places[hocket::uno::kPins];  // in flash

namespace hocket::uno {

// The fields are adjacent, so one pointer reads them in 3 cycles each; the compiler would compute
// each address separately. The pin must exist.

/// Reads only `input` and `bit`.
inline Place input_of_place(pin_size_t pin) {
  const Place* next = &hocket_places[static_cast<uint8_t>(pin)];
  Place place{};
  asm("lpm %0, Z+\n\tlpm %1, Z+" : "=&r"(place.input), "=&r"(place.bit), "+z"(next));
  return place;
}
inline Place place_of(pin_size_t pin) {
  const Place* next = &hocket_places[static_cast<uint8_t>(pin)];
  Place place;
  asm("lpm %0, Z+\n\tlpm %1, Z+\n\tlpm %2, Z+\n\tlpm %3, Z+"
      : "=&r"(place.input), "=&r"(place.bit), "=&r"(place.timer), "=&r"(place.turns), "+z"(next));
  return place;
}

}  // namespace hocket::uno
