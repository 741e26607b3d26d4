// The periodic time base on the Uno: which ticks there are, and what one takes. In ticks of the
// clock, 0.5 us.
#pragma once

#include <stdint.h>

namespace hocket::uno {

inline constexpr uint32_t kShortestTick = 200;
inline constexpr uint32_t kLongestTick = 32'000;
/// An interrupt that finds nothing due, from its vector to its return: the interrupted loop is not
/// charged with it (tests/uno/test_tick.py measures it).
inline constexpr uint16_t kTickFrame = 56;
/// What an interrupt in which handlers of alarms are called takes more than with the other base.
inline constexpr uint16_t kTickOfAlarms = 14;

}  // namespace hocket::uno
