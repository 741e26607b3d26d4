// Waiting, and the time of the runtime. (millis.S and micros.S have what sketches count.)
#include "arduino/api/Common.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/runtime/system.h"

namespace {
using hocket::uno::Clock;
using hocket::uno::kTicksPerMillisecond;
constexpr uint32_t kNsPerTick = 1000 / hocket::uno::kTicksPerMicrosecond;
}  // namespace

extern "C" {

uint32_t hocket_ticks(uint16_t ms);  // ticks.S

/// In pieces that the clock's half turn (17 minutes) holds, each counted from the end of the last.
void delay(unsigned long ms) {
  uint32_t until = Clock::now() + hocket_ticks(static_cast<uint16_t>(ms));
  hocket::uno::wait_until(until);
  for (auto pieces = static_cast<uint16_t>(ms >> 16); pieces != 0; --pieces) {
    until += 0x10000 * kTicksPerMillisecond;
    hocket::uno::wait_until(until);
  }
}

void yield(void) {
  hocket::sys::yield();
}

}  // extern "C"

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
