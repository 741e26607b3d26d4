// shiftOut(), shiftIn() and pulseIn() on the Uno.
#include "arduino/api/Common.h"
#include "arduino/cores/avr8/core.h"

extern "C" {
void hocket_digital_write(pin_size_t pin, int value);
int hocket_digital_read(pin_size_t pin);

void shiftOut(pin_size_t data, pin_size_t clock, int order, uint8_t value) {
  for (uint8_t i = 0; i < 8; ++i) {
    hocket_digital_write(data, (order == LSBFIRST ? value & 1 : value & 0x80) != 0);
    value = static_cast<uint8_t>(order == LSBFIRST ? value >> 1 : value << 1);
    hocket_digital_write(clock, HIGH);
    hocket_digital_write(clock, LOW);
  }
}

uint8_t shiftIn(pin_size_t data, pin_size_t clock, int order) {
  uint8_t value = 0;
  for (uint8_t i = 0; i < 8; ++i) {
    hocket_digital_write(clock, HIGH);
    const bool high = hocket_digital_read(data) != 0;
    value = static_cast<uint8_t>(order == LSBFIRST ? value >> 1 : value << 1);
    if (high) value = static_cast<uint8_t>(value | (order == LSBFIRST ? 0x80 : 1));
    hocket_digital_write(clock, LOW);
  }
  return value;
}

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
