// The cost of storm control itself (storm.h) on the board's chip (chips.h). In ticks of the clock,
// 0.5 us.
#pragma once

#include <stdint.h>

#include "arduino/cores/avr8/chip.h"

namespace hocket::uno {

/// The way in and out of a handler, outside of the two readings: of a port's handler up to 272
/// cycles on an ATmega328P, of a pin with an interrupt of its own less.
inline constexpr uint16_t kFrame = Chip::kCosts.storm.frame;
// Worst case of holding back, of a match of timer 0, and of enabling a line at one; in all of them
// the loop's limit is moved, so that it does not pay. kEnd: the additional time of a match that
// ends sections which have waited for too long (tests/uno/test_device_waits.py).
inline constexpr uint16_t kHold = Chip::kCosts.storm.hold;
inline constexpr uint16_t kLook = Chip::kCosts.storm.look;
inline constexpr uint16_t kLetIn = Chip::kCosts.storm.let_in;
inline constexpr uint16_t kEnd = Chip::kCosts.storm.end;
static_assert(kEnd < kHold + Chip::kCosts.storm.lines * kLetIn);
/// From one match of timer 0 to the next.
inline constexpr uint16_t kMatch = StormCosts::kMatch;

}  // namespace hocket::uno
