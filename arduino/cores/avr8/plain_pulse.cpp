// pulseIn() in a sketch without loops. Counts iterations of 1 us each, so that it works with
// interrupts masked and is finer than the clock's 4 us. The count misses the time of interrupts; if
// the clock has measured a longer pulse, the clock's value is returned.
#include <avr/io.h>

#include "arduino/api/Common.h"
#include "arduino/cores/avr8/core.h"
#include "pins_arduino.h"

namespace {

constexpr uint32_t kClockStep = 4;  // us
constexpr uint32_t kBetween = 2;    // us: what the two counts of a pulse miss

}  // namespace

extern "C" {

/// Counts `turns` down, 1 us each, while these bits of the register are `level`. Returns what is
/// left; UINT32_MAX: nothing. (plain_pulse_turns.S)
uint32_t hocket_turns_left(uint32_t turns, const volatile uint8_t* input, uint8_t bits,
                           uint8_t level);

/// Any context. The longest timeout is 71 minutes.
unsigned long pulseIn(pin_size_t pin, int state, unsigned long timeout) {
  constexpr uint32_t kNone = UINT32_MAX;
  if (pin >= NUM_DIGITAL_PINS) return 0;
  const volatile uint8_t* const input = &hocket::uno::input_of(pin);
  const uint8_t bit = hocket::uno::bit_of(pin);
  const uint8_t level = state != LOW ? bit : 0;
  const auto other = static_cast<uint8_t>(level ^ bit);
  if (timeout == kNone) --timeout;
  // Skips a pulse in progress; then waits for the beginning of the next, then for its end.
  uint32_t left = hocket_turns_left(timeout, input, bit, level);
  if (left == kNone) return 0;
  left = hocket_turns_left(left, input, bit, other);
  if (left == kNone) return 0;
  const hocket::uno::Clock::Reading begun = hocket::uno::Clock::read();
  const uint32_t end = hocket_turns_left(left, input, bit, level);
  const uint32_t ticks = hocket::uno::Clock::now() - begun.ticks();
  if (end == kNone) return 0;
  const uint32_t counted = left - end + kBetween;
  const uint32_t longest = (counted + kClockStep) * hocket::uno::kTicksPerMicrosecond;
  // (With interrupts masked the clock may go back, so the difference may be negative.)
  const bool longer = static_cast<int32_t>(ticks - longest) > 0;
  return longer ? ticks / hocket::uno::kTicksPerMicrosecond : counted;
}

unsigned long pulseInLong(pin_size_t pin, int state, unsigned long timeout) {
  return pulseIn(pin, state, timeout);
}

}  // extern "C"
