// pulseIn() in a sketch with loops. (plain_pulse.cpp is for other sketches.)
#include "arduino/api/Common.h"
#include "arduino/cores/avr8/core.h"

extern "C" {
int hocket_digital_read(uint8_t pin);

/// Measures with the clock, to about 4 us. The longest pulse and the longest timeout are 33
/// minutes.
unsigned long pulseIn(pin_size_t pin, int state, unsigned long timeout) {
  using hocket::uno::Clock;
  using hocket::uno::kTicksPerMicrosecond;
  const uint32_t start = Clock::now();
  // A little less than a turn of the clock (33 minutes), so that the end is noticed.
  constexpr uint32_t kMost = 0xf0000000;
  const uint32_t most =
      timeout < kMost / kTicksPerMicrosecond ? timeout * kTicksPerMicrosecond : kMost;
  const bool level = state != LOW;
  uint32_t begin = 0;
  // Skips a pulse in progress; then waits for the beginning of the next, then for its end.
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
