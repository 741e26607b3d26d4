// Microseconds as a type, and what they are in ticks of a clock of any rate: exactly.
//
// Invariants
// - Nothing is converted twice: a span is kept in microseconds, or in ticks with the rest that is
//   no whole tick. Whoever adds spans adds one of the two, never converted ones.
// - No intermediate result overflows for spans up to 100 years at up to 1 GHz: whole seconds' worth
//   and the rest go separately (as in kernel/base/tick_rate.h, which counts nanoseconds).
// - Where a microsecond is a whole number of ticks there is no division in the code.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// A span of time, or an instant counted from a known one. 64 bits: 584,000 years.
class Microseconds {
 public:
  constexpr Microseconds() = default;
  explicit constexpr Microseconds(uint64_t count) : count_(count) {}
  constexpr uint64_t count() const { return count_; }

  friend constexpr Microseconds operator+(Microseconds a, Microseconds b) {
    return Microseconds(a.count_ + b.count_);
  }
  friend constexpr Microseconds operator-(Microseconds a, Microseconds b) {
    return Microseconds(a.count_ - b.count_);
  }
  friend constexpr Microseconds operator*(Microseconds a, uint64_t n) {
    return Microseconds(a.count_ * n);
  }
  friend constexpr bool operator==(Microseconds a, Microseconds b) = default;
  friend constexpr bool operator<(Microseconds a, Microseconds b) { return a.count_ < b.count_; }
  friend constexpr bool operator<=(Microseconds a, Microseconds b) { return !(b < a); }
  friend constexpr bool operator>(Microseconds a, Microseconds b) { return b < a; }
  friend constexpr bool operator>=(Microseconds a, Microseconds b) { return !(a < b); }

 private:
  uint64_t count_ = 0;
};

namespace time_literals {
constexpr Microseconds operator""_us(unsigned long long n) {
  return Microseconds(n);
}
constexpr Microseconds operator""_ms(unsigned long long n) {
  return Microseconds(n * 1'000);
}
constexpr Microseconds operator""_s(unsigned long long n) {
  return Microseconds(n * 1'000'000);
}
}  // namespace time_literals

constexpr uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
  return b == 0 ? a : greatest_common_divisor(b, a % b);
}

/// A span in ticks: `whole` of them and rest/kDenominator of one (TickScale::kDenominator).
struct ExactTicks {
  uint64_t whole;
  uint32_t rest;
};

/// Conversions for a clock of kHz ticks in a second: a microsecond is kNumerator/kDenominator
/// ticks, in lowest terms. Any context; nothing blocks; O(1).
template <uint64_t kHz>
struct TickScale {
  static_assert(kHz > 0 && kHz <= 1'000'000'000, "a clock has at most 1 GHz");
  static constexpr uint32_t kPerSecond = 1'000'000;
  static constexpr uint32_t kNumerator = kHz / greatest_common_divisor(kHz, kPerSecond);
  static constexpr uint32_t kDenominator = kPerSecond / greatest_common_divisor(kHz, kPerSecond);

  static constexpr ExactTicks exact(Microseconds span) {
    if constexpr (kDenominator == 1) {
      return {span.count() * kNumerator, 0};
    } else {
      const uint64_t part = span.count() % kDenominator * kNumerator;
      return {span.count() / kDenominator * kNumerator + part / kDenominator,
              static_cast<uint32_t>(part % kDenominator)};
    }
  }
  static constexpr uint64_t ticks_down(Microseconds span) { return exact(span).whole; }
  static constexpr uint64_t ticks_up(Microseconds span) {
    const ExactTicks ticks = exact(span);
    return ticks.whole + (ticks.rest != 0 ? 1 : 0);
  }
  /// Rounded down.
  static constexpr Microseconds microseconds(uint64_t ticks) {
    if constexpr (kNumerator == 1) {
      return Microseconds(ticks * kDenominator);
    } else {
      return Microseconds(ticks / kNumerator * kDenominator +
                          ticks % kNumerator * kDenominator / kNumerator);
    }
  }
};

}  // namespace hocket
