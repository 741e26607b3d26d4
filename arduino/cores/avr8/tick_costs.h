// The periodic time base on the Uno: the possible ticks, and the cost of one. In ticks of the
// clock, 0.5 us.
#pragma once

#include <stdint.h>

namespace hocket::uno {

inline constexpr uint32_t kShortestTick = 200;
inline constexpr uint32_t kLongestTick = 32'000;
/// An interrupt that finds nothing due, from its vector to its return. The interrupted loop is not
/// charged with it (tests/uno/test_tick.py measures it).
inline constexpr uint16_t kTickFrame = 56;
/// How much longer an interrupt with alarm handlers takes than with the one-shot time base.
inline constexpr uint16_t kTickOfAlarms = 14;

}  // namespace hocket::uno
