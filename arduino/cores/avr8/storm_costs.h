// The cost of storm control itself (storm.h), and the least budget that covers it. In ticks of the
// clock, 0.5 us.
#pragma once

#include <stdint.h>

#include "arduino/cores/avr8/chip.h"

namespace hocket::uno {

// Worst case of holding back, of a match of timer 0, and of enabling a line at one; in all of them
// the loop's limit is moved, so that it does not pay. kEnd: the additional time of a match that
// ends sections which have waited for too long (tests/uno/test_device_waits.py).
inline constexpr uint16_t kHold = 25;
inline constexpr uint16_t kLook = 38;
inline constexpr uint16_t kLetIn = 23;
inline constexpr uint16_t kEnd = 26;
/// From one match of timer 0 to the next.
inline constexpr uint16_t kMatch = 2048;
inline constexpr uint8_t kStormLines = Chip::kExternalLines + Chip::kChangeLines;

/// The time that the matches in `ticks` take, wherever they begin.
constexpr uint64_t looks_in(uint64_t ticks) {
  return (ticks / kMatch + 1) * kLook;
}

/// Matches are charged to the budget while lines are held back. So in each period the replenishment
/// must exceed their cost and the cost of enabling all lines and holding them back again. Otherwise
/// a used-up budget would never recover. (A match that ends sections takes kEnd more. While lines
/// are held back there is one of those at most, so the next period recovers from it.)
constexpr uint64_t least_handlers_budget(uint64_t period) {
  return looks_in(period) + kHold + uint64_t{kStormLines} * kLetIn;
}
static_assert(kEnd < kHold + kStormLines * kLetIn);

}  // namespace hocket::uno
