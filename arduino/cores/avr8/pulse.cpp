// pulseIn() in a sketch with loops. (plain_pulse.cpp has that of others.)
#include "arduino/api/Common.h"
#include "arduino/cores/avr8/core.h"

extern "C" {
int hocket_digital_read(pin_size_t pin);

/// Measures with the clock, to about 4 us; up to 33 minutes, which is the longest timeout, too.
unsigned long pulseIn(pin_size_t pin, int state, unsigned long timeout) {
  using hocket::uno::Clock;
  using hocket::uno::kTicksPerMicrosecond;
  const uint32_t start = Clock::now();
  // Short of a turn of the clock, so that it is seen: 33 minutes.
  constexpr uint32_t kMost = 0xf0000000;
  const uint32_t most =
      timeout < kMost / kTicksPerMicrosecond ? timeout * kTicksPerMicrosecond : kMost;
  const bool level = state != LOW;
  uint32_t begin = 0;
  // A pulse that is under way already is let pass; then its beginning, then its end.
  for (uint8_t step = 0; step < 3; ++step) {
    const bool wanted = step == 1 ? level : !level;
    while ((hocket_digital_read(pin) != 0) != wanted) {
      if (Clock::now() - start >= most) return 0;
    }
    if (step == 1) begin = Clock::now();
  }
  return (Clock::now() - begin) / kTicksPerMicrosecond;
}

unsigned long pulseInLong(pin_size_t pin, int state, unsigned long timeout) {
  return pulseIn(pin, state, timeout);
}

}  // extern "C"
