// The clock of the runtime. (millis.S and micros.S have the sketch's time functions, delay.cpp its
// waits.)
#include "arduino/cores/avr8/board_clock.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/runtime/system.h"

namespace {
using hocket::uno::Clock;
constexpr uint32_t kNsPerTick = 1000 / hocket::uno::kTicksPerMicrosecond;
}  // namespace

namespace hocket::uno {

uint64_t long_now() {
  return Clock::long_now();
}

void sleep_until_ticks(uint64_t instant) {
  for (;;) {
    const uint64_t now = Clock::long_now();
    if (instant <= now) return;
    wait_until(next_piece(now, instant));
  }
}

}  // namespace hocket::uno

namespace hocket::sys {

uint64_t now_ns() {
  return Clock::long_now() * kNsPerTick;
}

void sleep_until_ns(uint64_t instant_ns) {
  uno::sleep_until_ticks(uno::ticks_up(instant_ns));
}

}  // namespace hocket::sys
