// When the body of a periodic loop is called next: one rule, on every board.
//
// A call that ends in time is followed by the call of the next period. After an overrun, releases
// that have passed are skipped, so that there is no burst of late calls: the next call is that of
// the first release that has not passed. (A loop with catchUp() gets a call for each:
// end_iteration() in sketch.cpp.) Spans and instants are in ticks.
#pragma once

#include "kernel/base/types.h"

namespace hocket::runtime {

/// For processors that divide in one instruction, or where the library has the division anyway.
struct Divided {
  static constexpr uint64_t remainder(uint64_t span, uint64_t period) { return span % period; }
};

/// Divides bit by bit, for spans below 2^kBits and periods below 2^31. Its time does not depend on
/// the span, and it is smaller than the library's division on processors that do not otherwise need
/// that.
template <uint8_t kBits>
struct BitByBit {
  [[gnu::always_inline]] static constexpr uint32_t remainder(uint64_t span, uint32_t period) {
    uint32_t rest = 0;
    span <<= 64 - kBits;
    for (uint8_t i = 0; i < kBits; ++i) {
      rest = rest << 1 | static_cast<uint8_t>(span >> 63);
      span <<= 1;
      if (rest >= period) rest -= period;
    }
    return rest;
  }
};

/// Returns the next release after the one at `release`. now() is the instant at which the call of
/// `release` ended. In ticks.
template <class Division, class Period, class Now>
HOCKET_IN_LINE constexpr uint64_t next_release(uint64_t release, Period period, Now now) {
  release += period;
  const uint64_t end = now();
  if (release >= end) return release;
  return end - 1 - Division::remainder(end - release - 1, period) + period;
}

}  // namespace hocket::runtime
