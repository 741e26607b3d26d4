// The chip of the board, for the files of this folder: its pins with interrupts of their own, its
// ports with pin-change interrupts, and how many loops its memory holds.
#pragma once

#include <stdint.h>

#include "arduino/cores/avr8/chips.h"

namespace hocket::uno {

#if defined(__AVR_ATmega2560__)
using Chip = Atmega2560;
#else
using Chip = Atmega328p;
#endif

inline constexpr uint8_t kExternalLines = Chip::kExternalLines;
using LineSet = Chip::LineSet;

}  // namespace hocket::uno
