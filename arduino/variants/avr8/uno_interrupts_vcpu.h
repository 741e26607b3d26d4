// interruptsVcpu() on the Uno: the common budget of all handlers of attachInterrupt(), stored as
// numbers in the image (arduino/cores/avr8/storm.h).
#pragma once

#include "arduino/cores/avr8/storm_costs.h"
#include "arduino/runtime/loops.h"

namespace hocket::uno {

struct HandlersLimit {
  uint16_t budget;  // ticks
  uint16_t period;  // units of 128 us
};

consteval HandlersLimit handlers_limit(Span budget, Span period) {
  constexpr uint64_t kTickNs = 500, kUnitNs = 128'000;
  // Rounded in the direction that gives the handlers less.
  const uint64_t ticks = budget.ns / kTickNs;
  const uint64_t units = (period.ns + kUnitNs - 1) / kUnitNs;
  const bool possible = ticks > 0 && ticks < 0x8000 && units < 0x8000 && budget.ns <= period.ns;
  return possible ? HandlersLimit{static_cast<uint16_t>(ticks), static_cast<uint16_t>(units)}
                  : HandlersLimit{0, 0};
}

/// Whether all that is used can be replenished (chips.h).
consteval bool is_enough(HandlersLimit limit) {
  constexpr uint64_t kTicksPerUnit = 256;
  return limit.budget >= Chip::kCosts.storm.least_handlers_budget(limit.period * kTicksPerUnit);
}

}  // namespace hocket::uno

/// interruptsVcpu(C, T): all handlers of attachInterrupt() together take at most C in every T; then
/// their interrupts wait. C and T must be constants. Once in a sketch, in any function.
#define interruptsVcpu(C, T)                                                                    \
  [] {                                                                                          \
    using namespace ::hocket::annotation;                                                       \
    constexpr auto limit = ::hocket::uno::handlers_limit(C, T);                                 \
    static_assert(limit.budget > 0, "interruptsVcpu(C, T) on " HOCKET_BOARD_IS                  \
                                    ": C is more than 0, at most T, and less "                  \
                                    "than 16 ms; T is less than 4 s");                          \
    static_assert(limit.budget == 0 || ::hocket::uno::is_enough(limit),                         \
                  "interruptsVcpu(C, T) on " HOCKET_BOARD_IS                                    \
                  ": C is too small for this T, "                                               \
                  "because replenishing it takes 1.86 % of T: use a C of at least 1.87 % of T " \
                  "and 89 us, or a shorter T");                                                 \
    asm volatile(                                                                               \
        ".global hocket_handlers_budget\n.set hocket_handlers_budget, %0\n"                     \
        ".global hocket_handlers_period\n.set hocket_handlers_period, %1" ::"i"(limit.budget),  \
        "i"(limit.period));                                                                     \
  }()
