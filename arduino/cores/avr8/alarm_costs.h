// Alarm handlers in the timer interrupt (board_alarms.h): the overhead of such an interrupt, and
// the limits of the handlers' common budget. In ticks of the clock, 0.5 us.
#pragma once

#include <stdint.h>

namespace hocket::uno {

/// Entry and exit of one interrupt in which handlers are called, outside the kernel's two readings
/// of the clock, including the decision at the end for the interrupted loop. Measured by
/// tests/uno/test_alarm_interrupt.py.
inline constexpr uint16_t kAlarmFrame = 100;
/// The budget is replenished this much earlier. An alarm with the same period then finds the
/// budget, although its interrupt may come a few microseconds earlier than a period after the one
/// before.
inline constexpr uint16_t kAlarmJitter = 16;
/// The cost of finding that the budget is used up, and of finding that it is back.
inline constexpr uint16_t kAlarmHold = 40;

/// The longest handler that the guarantees cover: as long as the budget of all handlers together.
template <class Ticks>
constexpr Ticks longest_alarm_handler(Ticks budget) {
  return budget;
}

/// Whether a used-up budget can be replenished, and one interrupt fits into it.
constexpr bool is_enough_for_alarms(uint64_t budget, uint64_t period) {
  return budget >= kAlarmFrame + kAlarmHold && budget <= period;
}

}  // namespace hocket::uno
