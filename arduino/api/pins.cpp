// Pins: digital, analog, tones, pulses, shifting. The Arduino functions, on top of the system
// calls.
#include "arduino/api/Common.h"
#include "arduino/api/pin_modes.h"
#include "arduino/runtime/system.h"

namespace sys = hocket::sys;

namespace {

constexpr int kWidest = 16;  // bits that sys::analog_read() delivers

// Settings of the whole sketch, as on every Arduino: usually set once, in setup().
int read_bits = 10;
int write_bits = 8;
uint8_t reference = DEFAULT;

/// An analog reference as a fraction of the 5 V supply. DEFAULT and EXTERNAL are the supply itself
/// (AREF is wired to it).
struct Ratio {
  uint32_t numerator;
  uint32_t denominator;
};
constexpr Ratio ratio_of(uint8_t which) {
  switch (which) {
    case INTERNAL:
    case INTERNAL1V1:
      return {11, 50};
    case INTERNAL2V56:
      return {64, 125};
    default:
      return {1, 1};
  }
}

/// analogRead(0) and analogRead(A0) mean the same input.
unsigned analog_pin(unsigned pin) {
  return pin < sys::analog_count() && pin < sys::analog_base() ? sys::analog_base() + pin : pin;
}

constexpr uint64_t kNever = ~uint64_t{0};

/// Polls until the pin is `level` or until `until`. Returns the instant at which it was seen, or
/// kNever.
uint64_t see_level(unsigned pin, bool level, uint64_t until) {
  for (;;) {
    const bool seen = (sys::pin_read(pin) != 0) == level;
    const uint64_t now = sys::now_ns();
    if (seen) return now;
    if (now >= until) return kNever;
  }
}

}  // namespace

extern "C" {

uint8_t hocket_pin_modes[kMostPins] = {};

void pinMode(pin_size_t pin, int mode) {
  if (pin < kMostPins) hocket_pin_modes[pin] = static_cast<uint8_t>(mode);
  switch (mode) {
    case INPUT:
      sys::pin_mode(pin, sys::PinMode::Input);
      break;
    case OUTPUT:
      sys::pin_mode(pin, sys::PinMode::Output);
      break;
    case INPUT_PULLUP:
      sys::pin_mode(pin, sys::PinMode::InputPullup);
      break;
    case INPUT_PULLDOWN:
      sys::pin_mode(pin, sys::PinMode::InputPulldown);
      break;
    case OUTPUT_OPENDRAIN:
      sys::pin_mode(pin, sys::PinMode::OutputOpenDrain);
      break;
    default:  // an invalid mode leaves the pin as it is
      break;
  }
}

void digitalWrite(pin_size_t pin, int value) {
  sys::pin_write(pin, value != LOW);
}
int digitalRead(pin_size_t pin) {
  return sys::pin_read(pin);
}

void analogReference(uint8_t which) {
  reference = which;
}
void analogReadResolution(int bits) {
  read_bits = constrain(bits, 1, 31);
}
void analogWriteResolution(int bits) {
  write_bits = constrain(bits, 1, 31);
}

int analogRead(pin_size_t pin) {
  const unsigned input = analog_pin(pin);
  const Ratio ratio = ratio_of(reference);
  if (ratio.numerator == ratio.denominator && read_bits <= kWidest) {
    return sys::analog_read(input, static_cast<unsigned>(read_bits));
  }
  // A smaller reference stretches the scale; voltages above it read as full scale. A resolution
  // above the converter's appends zeros.
  constexpr uint32_t kFull = (uint32_t{1} << kWidest) - 1;
  const uint32_t of_supply = static_cast<uint32_t>(sys::analog_read(input, kWidest));
  const uint64_t stretched = uint64_t{of_supply} * ratio.denominator / ratio.numerator;
  const uint32_t of_reference = stretched > kFull ? kFull : static_cast<uint32_t>(stretched);
  return static_cast<int>(read_bits <= kWidest ? of_reference >> (kWidest - read_bits)
                                               : of_reference << (read_bits - kWidest));
}

void analogWrite(pin_size_t pin, int value) {
  const uint32_t maximum = (uint32_t{1} << write_bits) - 1;
  const uint32_t duty = value < 0 ? 0 : min(static_cast<uint32_t>(value), maximum);
  if (!sys::pin_mode(pin, sys::PinMode::Output)) return;
  if (pin < kMostPins) hocket_pin_modes[pin] = OUTPUT;
  // A pin without PWM gets the nearer of the two levels.
  if (!sys::pwm_write(pin, duty, maximum)) sys::pin_write(pin, duty > maximum / 2);
}

unsigned long pulseIn(pin_size_t pin, int state, unsigned long timeout) {
  const bool level = state != LOW;
  const uint64_t until = sys::now_ns() + uint64_t{static_cast<uint32_t>(timeout)} * 1000;
  // Skip a pulse that has already begun: its beginning was not seen.
  if (see_level(pin, !level, until) == kNever) return 0;
  const uint64_t begin = see_level(pin, level, until);
  if (begin == kNever) return 0;
  const uint64_t end = see_level(pin, !level, until);
  if (end == kNever) return 0;
  return static_cast<unsigned long>((end - begin) / 1000);
}

unsigned long pulseInLong(pin_size_t pin, int state, unsigned long timeout) {
  return pulseIn(pin, state, timeout);  // both measure with the clock; neither counts iterations
}

void shiftOut(pin_size_t dataPin, pin_size_t clockPin, int bitOrder, uint8_t value) {
  for (int i = 0; i < 8; ++i) {
    const int place = bitOrder == LSBFIRST ? i : 7 - i;
    sys::pin_write(dataPin, ((value >> place) & 1) != 0);
    sys::pin_write(clockPin, true);
    sys::pin_write(clockPin, false);
  }
}

uint8_t shiftIn(pin_size_t dataPin, pin_size_t clockPin, int bitOrder) {
  unsigned value = 0;
  for (int i = 0; i < 8; ++i) {
    const int place = bitOrder == LSBFIRST ? i : 7 - i;
    sys::pin_write(clockPin, true);
    value |= static_cast<unsigned>(sys::pin_read(dataPin)) << place;
    sys::pin_write(clockPin, false);
  }
  return static_cast<uint8_t>(value);
}

}  // extern "C"

void tone(pin_size_t pin, unsigned int frequency, unsigned long duration) {
  if (frequency == 0) {
    noTone(pin);
  } else {
    sys::tone_start(pin, frequency, static_cast<uint32_t>(duration));
  }
}

void noTone(pin_size_t pin) {
  sys::tone_stop(pin);
}
