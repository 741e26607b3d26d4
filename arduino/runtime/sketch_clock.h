// The board's clock as the time services see it: in ticks of 64 bits, without a conversion where
// the board counts in another unit than nanoseconds (board_clock.h).
#pragma once

#include "arduino/runtime/system.h"

#if __has_include("board_clock.h")
#include "board_clock.h"
#else
namespace hocket::services {

struct SketchClock {
  static constexpr uint32_t kTicksPerMicrosecond = 1000;
  static uint64_t now() { return sys::now_ns(); }
  static void sleep_until(uint64_t instant) { sys::sleep_until_ns(instant); }
  /// As sys::park_until_ns().
  static bool park_until(uint64_t instant) { return sys::park_until_ns(instant); }
};

}  // namespace hocket::services
#endif

namespace hocket::services {

/// A span of microseconds in ticks; UINT64_MAX, which never ends, where 64 bits do not hold it.
constexpr uint64_t ticks_of(uint64_t microseconds) {
  constexpr uint64_t kPer = SketchClock::kTicksPerMicrosecond;
  return microseconds > UINT64_MAX / kPer ? UINT64_MAX : microseconds * kPer;
}

}  // namespace hocket::services
