// Alarms whose handlers run in the timer interrupt (HOCKET_ALARM_INTERRUPT). Their common budget is
// stored in the image, as numbers.
#pragma once

#include "arduino/cores/avr8/alarm_calls.h"
#include "arduino/cores/avr8/alarm_costs.h"
#include "arduino/cores/avr8/woken_behind.h"
#include "arduino/runtime/loops.h"

namespace hocket::uno {

struct AlarmsLimit {
  uint16_t budget, period;  // ticks
};

consteval AlarmsLimit alarms_limit(Span budget, Span period) {
  constexpr uint64_t kTickNs = 500;
  // Rounded in the direction that gives the handlers less.
  const uint64_t ticks = budget.ns / kTickNs;
  const uint64_t distance = (period.ns + kTickNs - 1) / kTickNs - kAlarmJitter;
  const bool possible = distance < 0x8000 && is_enough_for_alarms(ticks, distance);
  return possible ? AlarmsLimit{static_cast<uint16_t>(ticks), static_cast<uint16_t>(distance)}
                  : AlarmsLimit{0, 0};
}

}  // namespace hocket::uno

/// In the sketch, once in each program.
#define HOCKET_ALARM_CALLS_(alarms)                                                      \
  extern "C" [[gnu::used]] inline void hocket_call_alarm(hocket::uno::NextAlarm& next) { \
    const uint64_t now = hocket::services::SketchClock::now();                           \
    next.set(now, alarms.call_in_interrupt(now));                                        \
  }                                                                                      \
  extern "C" [[gnu::used]] inline void hocket_next_alarm(hocket::uno::NextAlarm& next) { \
    next.set(hocket::services::SketchClock::now(), alarms.next_instant());               \
  }

namespace hocket::services {

template <unsigned k>
struct AlarmInterrupt {
  static constexpr uno::AlarmsLimit kLimit = [] {
    using namespace ::hocket::annotation;
    return uno::alarms_limit(HOCKET_ALARM_INTERRUPT);
  }();
  static_assert(
      k > 0 || kLimit.budget > 0,
      "HOCKET_ALARM_INTERRUPT C, T on " HOCKET_BOARD_IS
      ": handlers of alarms may take C in every T in "
      "the interrupt of the timer; C is at least 70 us and less than T, and T is less than "
      "16 ms");

  static void use() {
    asm volatile(HOCKET_HANDLERS_WAKE);
    asm volatile(
        ".weak hocket_alarms_budget\n.set hocket_alarms_budget, %0\n"
        ".weak hocket_alarms_period\n.set hocket_alarms_period, %1" ::"i"(kLimit.budget),
        "i"(kLimit.period));
  }
  static void changed() { hocket_alarms_changed(); }
  static bool calls() { return hocket_in_alarm; }
};

}  // namespace hocket::services
