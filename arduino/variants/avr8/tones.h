// tone() on the Uno. What a tone of constant frequency and duration asks of timer 2 is computed at
// compile time: then no division is linked.
#pragma once

#include "api/Common.h"

extern "C" {
/// The parts of tone(), each linked only if it is used (arduino/cores/avr8/tone*.cpp).
void hocket_tone(pin_size_t pin, unsigned int frequency, unsigned long duration);
void hocket_tone_turns(pin_size_t pin, unsigned int frequency, unsigned long turns);
/// clock: CS22 to CS20. compare: OCR2A. turns: half periods; 0: until noTone().
void hocket_tone_set(pin_size_t pin, uint8_t clock, uint8_t compare, unsigned long turns);
}

namespace hocket {
namespace uno {

/// The setting of timer 2 for a frequency, by the finest clock that is slow enough.
struct Tone {
  static constexpr uint32_t kLowest = 31;  // hertz: 256 counts of the slowest clock, twice
  static constexpr uint32_t kLongest = 0xffffffff;

  static constexpr uint32_t hertz(unsigned int frequency) {
    return frequency < kLowest ? kLowest : frequency;
  }
  static constexpr uint32_t counts(uint32_t half_period, uint8_t shift) {
    return (half_period + (uint32_t{1} << shift) / 2) >> shift;
  }
  /// Half periods in `duration` milliseconds; saturates.
  static constexpr uint32_t turns(uint32_t hertz, uint32_t duration) {
    return duration / 1000 >= kLongest / (2 * hertz)
               ? kLongest
               : 2 * hertz * (duration / 1000) + 2 * hertz * (duration % 1000) / 1000;
  }
};

/// A tone whose frequency and duration are constants.
HOCKET_INLINE_ void constant_tone(pin_size_t pin, unsigned int frequency, unsigned long duration) {
  const uint32_t half = F_CPU / 2 / Tone::hertz(frequency);  // cycles
  const uint32_t turns = duration == 0 ? 0 : Tone::turns(Tone::hertz(frequency), duration);
  if (frequency == 0 || (duration != 0 && turns == 0)) return noTone(pin);
  const uint8_t clock = Tone::counts(half, 0) <= 256   ? 1
                        : Tone::counts(half, 3) <= 256 ? 2
                        : Tone::counts(half, 5) <= 256 ? 3
                        : Tone::counts(half, 6) <= 256 ? 4
                        : Tone::counts(half, 7) <= 256 ? 5
                        : Tone::counts(half, 8) <= 256 ? 6
                                                       : 7;
  const uint8_t shift = clock == 1   ? 0
                        : clock == 2 ? 3
                        : clock == 7 ? 10
                                     : static_cast<uint8_t>(clock + 2);
  const uint32_t counts = Tone::counts(half, shift);
  hocket_tone_set(pin, clock, static_cast<uint8_t>(counts > 256 ? 255 : counts - 1), turns);
}

}  // namespace uno
}  // namespace hocket

extern inline __attribute__((always_inline, gnu_inline)) void tone(pin_size_t pin,
                                                                   unsigned int frequency,
                                                                   unsigned long duration)
    HOCKET_REFUSE_PIN_(pin) {
  if (__builtin_constant_p(frequency) && __builtin_constant_p(duration)) {
    return hocket::uno::constant_tone(pin, frequency, duration);
  }
  if (__builtin_constant_p(duration) && duration == 0) return hocket_tone_turns(pin, frequency, 0);
  hocket_tone(pin, frequency, duration);
}
