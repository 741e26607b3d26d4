// Waiting, and the time of the runtime. (millis.S and micros.S have what sketches count.)
#include "arduino/api/Common.h"
#include "arduino/runtime/system.h"
#include "boards/uno/sketch/core.h"

namespace {
using hocket::uno::Clock;
using hocket::uno::kTicksPerMillisecond;
constexpr uint32_t kNsPerTick = 1000 / hocket::uno::kTicksPerMicrosecond;
}  // namespace

extern "C" {

/// In pieces that the clock's half turn (17 minutes) holds, each counted from the end of the last.
void delay(unsigned long ms) {
  if (ms == 0) return hocket::sys::yield();
  constexpr unsigned long kPiece = 60'000;
  uint32_t until = Clock::now();
  for (; ms > kPiece; ms -= kPiece) {
    until += kPiece * kTicksPerMillisecond;
    hocket::uno::wait_until(until);
  }
  hocket::uno::wait_until(until + ms * kTicksPerMillisecond);
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
