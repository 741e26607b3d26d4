// The time of the runtime. (millis.S and micros.S have what sketches count, delay.cpp their
// waiting.)
#include "arduino/cores/avr8/core.h"
#include "arduino/runtime/system.h"

namespace {
using hocket::uno::Clock;
constexpr uint32_t kNsPerTick = 1000 / hocket::uno::kTicksPerMicrosecond;
}  // namespace

namespace hocket::sys {

uint64_t now_ns() {
  return Clock::long_now() * kNsPerTick;
}

void sleep_until_ns(uint64_t instant_ns) {
  const uint64_t until = uno::ticks_up(instant_ns);
  for (;;) {
    const uint64_t now = Clock::long_now();
    if (until <= now) return;
    uno::wait_until(uno::next_piece(now, until));
  }
}

}  // namespace hocket::sys
