// Handlers of alarms in the interrupt of the timer (board_alarms.h): what such an interrupt takes
// besides them, and what they may take together. In ticks of the clock, 0.5 us.
#pragma once

#include <stdint.h>

namespace hocket::uno {

/// The way in and out of one interrupt in which handlers are called, outside of the kernel's two
/// readings of the clock, with what it decides at the end for the loop that is interrupted
/// (tests/uno/test_alarm_interrupt.py measures it).
inline constexpr uint16_t kAlarmFrame = 100;
/// The budget is back so much earlier: an alarm with the same period finds it there, although its
/// interrupt may come a few microseconds sooner after the one before.
inline constexpr uint16_t kAlarmJitter = 16;
/// To find that the budget is used up, and when it is back.
inline constexpr uint16_t kAlarmHold = 40;

/// One handler takes no longer than this without being seen in the guarantees: as long as the
/// budget for all of them.
template <class Ticks>
constexpr Ticks longest_alarm_handler(Ticks budget) {
  return budget;
}

/// Whether handlers can get budget again after they have used it up, and one interrupt fits.
constexpr bool is_enough_for_alarms(uint64_t budget, uint64_t period) {
  return budget >= kAlarmFrame + kAlarmHold && budget <= period;
}

}  // namespace hocket::uno
