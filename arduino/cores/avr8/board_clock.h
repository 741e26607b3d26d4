// The Uno's clock for the time services (arduino/runtime/sketch_clock.h), in half microseconds as
// timer 1 counts them. This avoids 64-bit divisions, which take some thousand cycles.
#pragma once

#include <stdint.h>

namespace hocket::uno {
uint64_t long_now();
void sleep_until_ticks(uint64_t instant);
bool park_until_ticks(uint64_t instant);
}  // namespace hocket::uno

namespace hocket::services {

struct SketchClock {
  static constexpr uint32_t kTicksPerMicrosecond = 2;
  static uint64_t now() { return uno::long_now(); }
  static void sleep_until(uint64_t instant) { uno::sleep_until_ticks(instant); }
  static bool park_until(uint64_t instant) { return uno::park_until_ticks(instant); }
};

}  // namespace hocket::services
