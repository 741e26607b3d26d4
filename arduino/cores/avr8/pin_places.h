// The registers of each pin, for calls whose pin is known only at run time: a table in flash
// (pins.cpp).
#pragma once

#include <avr/io.h>
#include <avr/pgmspace.h>
#include <stdint.h>

#include "arduino/api/Common.h"

namespace hocket::uno {

#ifdef __AVR_ATmega2560__
inline constexpr pin_size_t kPins = 70;
#else
inline constexpr pin_size_t kPins = 20;
#endif

/// A pin's input register (the direction and output registers follow it) and its bit; and the
/// control register and bit of its PWM timer, 0: none. Addresses fit into a byte: see at().
struct Place {
  uint8_t input;
  uint8_t bit;
  uint8_t timer;
  uint8_t turns;
};

constexpr uint8_t kTccr0a = 0x44, kTccr1a = 0x80, kTccr2a = 0xb0;

using PinRegister = volatile uint8_t*;

#ifdef __AVR_ATmega2560__
constexpr uint8_t kTccr3a = 0x90, kTccr4a = 0xa0, kTccr5a = 0x20;
/// Ports H to L begin at 0x100, behind the last that a byte can name: their lower byte stands for
/// them, which no other port has.
inline PinRegister at(uint8_t address) {
  constexpr uint8_t kPinA = 0x20;
  const uint16_t whole = address < kPinA ? 0x100 | address : address;
  return reinterpret_cast<PinRegister>(whole);
}
/// Timer 5, at 0x120, is named by its lower byte.
inline PinRegister timer_at(uint8_t address) {
  return reinterpret_cast<PinRegister>(address == kTccr5a ? 0x120 : uint16_t{address});
}
/// Whether its compare registers have 16 bits, and its control register is that of the clock.
constexpr bool is_wide(uint8_t timer) {
  return timer != kTccr0a && timer != kTccr2a;
}
constexpr uint8_t kTccrOfClock = kTccr5a;
#else
inline PinRegister at(uint8_t address) {
  return reinterpret_cast<PinRegister>(static_cast<uint16_t>(address));
}
inline PinRegister timer_at(uint8_t address) {
  return at(address);
}
constexpr bool is_wide(uint8_t timer) {
  return timer == kTccr1a;
}
constexpr uint8_t kTccrOfClock = kTccr1a;
#endif

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
