// What storm control itself takes (storm.h), and the least budget that can bear it. In ticks of the
// clock, 0.5 us.
#pragma once

#include <stdint.h>

namespace hocket::uno {

// What holding back takes at most, a match of timer 0, and letting a line in at one.
inline constexpr uint16_t kHold = 10;
inline constexpr uint16_t kLook = 17;
inline constexpr uint16_t kLetIn = 15;
/// From one match of timer 0 to the next.
inline constexpr uint16_t kMatch = 2048;
inline constexpr uint8_t kStormLines = 5;  // pins 2 and 3, and three ports

/// What the matches in so many ticks take, wherever they begin.
constexpr uint64_t looks_in(uint64_t ticks) {
  return (ticks / kMatch + 1) * kLook;
}

/// Matches are charged while lines are held back. So in each period more must be given back than
/// they take, with what it costs to let all lines in and to hold them back again: else a budget
/// that has been used up would never be back.
constexpr uint64_t least_handlers_budget(uint64_t period) {
  return looks_in(period) + kHold + uint64_t{kStormLines} * kLetIn;
}

}  // namespace hocket::uno
