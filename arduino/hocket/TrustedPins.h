// Gives a sketch direct access to the registers of the board's pins:
//
//   HOCKET_TRUSTED_PINS()
//   …
//   if (volatile uint32_t* gpio = hocket::trustedPins()) gpio[7] = 1u << 4;  // rpi3: GPSET0
//
// A write takes one instruction instead of a system call. In return, the kernel does not know what
// happens at the pins, nothing checks which of them the sketch changes, and two loops that change
// the same register disturb each other. The meaning of the registers depends on the board.
#pragma once

#include <stdint.h>

/// Marks the image. The value is not read.
extern "C" const uint8_t hocket_trusted_pins;

#define HOCKET_TRUSTED_PINS() \
  [[gnu::used, gnu::section(".hocket.trusted_pins")]] const uint8_t hocket_trusted_pins = 1;

namespace hocket {

/// The registers; null if the sketch has no HOCKET_TRUSTED_PINS() or the board offers none (`sim`).
/// Never blocks. Context: any loop, setup().
volatile uint32_t* trustedPins();

}  // namespace hocket
