// The board's clock as the time services use it: in ticks of 64 bits. A board that does not count
// in nanoseconds avoids conversions that way (board_clock.h).
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
  /// Like sys::park_until_ns(), in ticks.
  static bool park_until(uint64_t instant) { return sys::park_until_ns(instant); }
};

}  // namespace hocket::services
#endif

namespace hocket::services {

/// Microseconds in ticks. Saturates at UINT64_MAX, which means never.
constexpr uint64_t ticks_of(uint64_t microseconds) {
  constexpr uint64_t kPer = SketchClock::kTicksPerMicrosecond;
  return microseconds > UINT64_MAX / kPer ? UINT64_MAX : microseconds * kPer;
}

}  // namespace hocket::services
