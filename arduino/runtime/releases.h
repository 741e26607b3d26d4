// When the body of a periodic loop is called next: one rule, on every board.
//
// A call that is done in time is followed by that of the next period. Releases that an overrun has
// run into are skipped, so that there is no burst of late calls: the next one is the first that has
// not passed. (A loop with catchUp() has each of them: end_iteration() in sketch.cpp.)
#pragma once

#include "kernel/base/types.h"

namespace hocket::runtime {

/// Where a division is one instruction, or at least in the library anyway.
struct Divided {
  static constexpr uint64_t remainder(uint64_t span, uint64_t period) { return span % period; }
};

/// Bit by bit, for spans below 2^kBits and periods below 2^31: as long for an hour as for a second,
/// and smaller than the library's where that is not there.
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

/// The release after that at `release`, of whose call the end is at now(). In ticks.
template <class Division, class Period, class Now>
HOCKET_IN_LINE constexpr uint64_t next_release(uint64_t release, Period period, Now now) {
  release += period;
  const uint64_t end = now();
  if (release >= end) return release;
  return end - 1 - Division::remainder(end - release - 1, period) + period;
}

}  // namespace hocket::runtime
