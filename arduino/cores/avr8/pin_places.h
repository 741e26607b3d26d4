// Where pins are, for calls whose pin is known only when the sketch runs: a table in flash
// (pins.cpp).
#pragma once

#include <avr/io.h>
#include <avr/pgmspace.h>
#include <stdint.h>

#include "arduino/api/Common.h"

namespace hocket::uno {

inline constexpr pin_size_t kPins = 20;

/// A pin's input register (then the direction, then the output) and its bit; and the control
/// register and bit by which a timer turns it, 0: none does. Addresses fit into a byte.
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
