// Converts between ticks of the board's counter and nanoseconds, exactly, and without overflow for
// 500 years.
//
// Whole seconds and the rest are converted separately, so no product needs more than 64 bits for
// any frequency up to 1 GHz.
#pragma once

#include <stdint.h>

namespace hocket::sketch {

inline constexpr uint64_t kNanosecondsPerSecond = 1'000'000'000;

/// Rounded down. Wraps only beyond 2^64 nanoseconds, 584 years.
template <uint64_t kHz>
constexpr uint64_t nanoseconds_of(uint64_t ticks) {
  static_assert(kHz >= 1 && kHz <= kNanosecondsPerSecond);
  if constexpr (kHz == kNanosecondsPerSecond) return ticks;
  return ticks / kHz * kNanosecondsPerSecond + ticks % kHz * kNanosecondsPerSecond / kHz;
}

/// Rounded up: waiting this many ticks takes at least this many nanoseconds.
template <uint64_t kHz>
constexpr uint64_t ticks_of(uint64_t nanoseconds) {
  static_assert(kHz >= 1 && kHz <= kNanosecondsPerSecond);
  if constexpr (kHz == kNanosecondsPerSecond) return nanoseconds;
  const uint64_t rest = nanoseconds % kNanosecondsPerSecond * kHz;
  return nanoseconds / kNanosecondsPerSecond * kHz +
         (rest + kNanosecondsPerSecond - 1) / kNanosecondsPerSecond;
}

}  // namespace hocket::sketch
