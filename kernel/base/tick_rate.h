// Converts nanoseconds to ticks of a port's clock and back, exactly, also for rates that do not
// divide one second.
//
// Invariants
// - No intermediate result overflows: seconds and the rest go separately. Spans up to 100 years
//   (kLongestNs) at up to 1 GHz; the result has 62 bits.
// - Rounding is in the name: `_down` to the nearest below, `_up` to the nearest above. A span that
//   is a whole number on both sides is kept exactly.
// - At 1 GHz nothing is computed at all.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// The budget, period and deadline of a virtual CPU, in ticks.
struct TickDemand {
  uint64_t budget;
  uint64_t period;
  uint64_t deadline;
};

/// Conversions for a clock of kHz ticks in a second. Any context; nothing blocks; O(1).
template <uint64_t kHz>
struct TickRate {
  static_assert(kHz > 0 && kHz <= 1'000'000'000, "a clock has at most 1 GHz");

  static constexpr uint64_t kNsPerSecond = 1'000'000'000;
  static constexpr uint64_t kLongestNs = 100ull * 365 * 86'400 * kNsPerSecond;

  static constexpr uint64_t ticks_down(uint64_t ns) { return scaled<kNsPerSecond, kHz>(ns, 0); }
  static constexpr uint64_t ticks_up(uint64_t ns) {
    return scaled<kNsPerSecond, kHz>(ns, kNsPerSecond - 1);
  }
  static constexpr uint64_t ns_down(uint64_t ticks) { return scaled<kHz, kNsPerSecond>(ticks, 0); }
  static constexpr uint64_t ns_up(uint64_t ticks) {
    return scaled<kHz, kNsPerSecond>(ticks, kHz - 1);
  }

  /// Converts a loop's guarantee so that keeping it in ticks keeps it in nanoseconds. The period
  /// and the deadline become at most one tick shorter, the budget at most one tick longer. A budget
  /// that fills its deadline still fills it and never exceeds it: it then becomes shorter by less
  /// than a tick, as the deadline does. Equal spans stay equal, except that budgets are rounded up
  /// and the others down. No span becomes 0. For 0 < budget_ns ≤ deadline_ns ≤ period_ns ≤
  /// kLongestNs the results have the same order.
  static constexpr TickDemand demand(uint64_t budget_ns, uint64_t period_ns, uint64_t deadline_ns) {
    if constexpr (kHz == kNsPerSecond) {
      return {budget_ns, period_ns, deadline_ns};
    } else {
      const uint64_t period = larger<uint64_t>(ticks_down(period_ns), 1);
      const uint64_t deadline = larger<uint64_t>(ticks_down(deadline_ns), 1);
      return {smaller(ticks_up(budget_ns), deadline), period, deadline};
    }
  }

 private:
  /// (value · kTo + extra) / kFrom, with the whole seconds computed separately.
  template <uint64_t kFrom, uint64_t kTo>
  static constexpr uint64_t scaled(uint64_t value, uint64_t extra) {
    if constexpr (kFrom == kTo) {
      return value;
    } else if constexpr (kTo % kFrom == 0) {
      return value * (kTo / kFrom);
    } else if constexpr (kFrom % kTo == 0) {
      constexpr uint64_t kTimes = kFrom / kTo;
      return value / kTimes + (value % kTimes + extra / kTo) / kTimes;
    } else {
      const uint64_t seconds = value / kFrom;
      const uint64_t rest = value % kFrom;
      return seconds * kTo + (rest * kTo + extra) / kFrom;
    }
  }
};

}  // namespace hocket
