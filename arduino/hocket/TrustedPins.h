// A sketch's own access to the registers of the board's pins, for those who ask for it:
//
//   HOCKET_TRUSTED_PINS()
//   …
//   if (volatile uint32_t* gpio = hocket::trustedPins()) gpio[7] = 1u << 4;   // rpi3: GPSET0, pin
//   4
//
// A write takes one instruction instead of a system call. The price: the kernel no longer knows
// what happens at the pins, nothing checks which of them the sketch changes, and two loops that
// change one register disturb each other. What the registers mean is the board's affair.
#pragma once

#include <stdint.h>

/// A mark in the image; its value is not read.
extern "C" const uint8_t hocket_trusted_pins;

#define HOCKET_TRUSTED_PINS() \
  [[gnu::used, gnu::section(".hocket.trusted_pins")]] const uint8_t hocket_trusted_pins = 1;

namespace hocket {

/// The registers, or null: the sketch has not asked, or the board has none to give (`sim`). Never
/// blocks; any loop and setup().
volatile uint32_t* trustedPins();

}  // namespace hocket
