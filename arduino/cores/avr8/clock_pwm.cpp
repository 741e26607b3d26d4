// See clock_pwm.h. The compare unit itself turns the pin over, to the cycle; its interrupt then
// says when next (data sheet, section 16.8: compare match output, no PWM mode). If an edge has
// passed already because other handlers took long, it comes at once: a pulse is longer by what they
// took, and not by a turn of the counter.
#include "arduino/cores/avr8/clock_pwm.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "arduino/cores/avr8/core.h"

namespace hocket::uno {
namespace {

constexpr uint16_t kPeriod = 4096;  // ticks of 0.5 us: 488 Hz, as timer 2 makes on pins 3 and 11
constexpr uint16_t kStep = kPeriod / 256;
constexpr uint16_t kSoon = 100;  // the first edge

constexpr uint16_t kAtOnce = 6;  // so many ticks after the counter was read it is not there yet

/// One of the two units.
template <uint8_t kUnit>
struct Unit {
  static constexpr uint8_t kTurns = kUnit == 0 ? 1 << COM1A0 : 1 << COM1B0;
  static constexpr uint8_t kForce = kUnit == 0 ? 1 << FOC1A : 1 << FOC1B;
  static constexpr uint8_t kFlag = kUnit == 0 ? 1 << OCF1A : 1 << OCF1B;
  static constexpr uint8_t kInterrupt = kUnit == 0 ? 1 << OCIE1A : 1 << OCIE1B;
  static constexpr uint8_t kPin = kUnit == 0 ? 1 << PORTB1 : 1 << PORTB2;

  static inline uint16_t high_ticks;
  static inline bool high;

  static volatile uint16_t& match() { return kUnit == 0 ? OCR1A : OCR1B; }
  static bool runs() { return (TCCR1A & kTurns) != 0; }

  /// Masked, after an edge at match(): the next one.
  static void next() {
    if (!runs()) {  // digitalWrite() has taken the pin back
      TIMSK1 = static_cast<uint8_t>(TIMSK1 & ~kInterrupt);
      return;
    }
    high = !high;
    const uint16_t at = match() + (high ? high_ticks : kPeriod - high_ticks);
    const uint16_t soonest = TCNT1 + kAtOnce;
    match() = static_cast<int16_t>(soonest - at) > 0 ? soonest : at;
  }

  /// Masked. The pin, and what the unit remembers of it, are low.
  static void begin() {
    PORTB = static_cast<uint8_t>(PORTB & ~kPin);
    high = false;
    TCCR1A = static_cast<uint8_t>(TCCR1A | kTurns << 1);  // clears
    TCCR1C = kForce;
    TCCR1A = static_cast<uint8_t>((TCCR1A & ~(kTurns << 1)) | kTurns);
    match() = TCNT1 + kSoon;
    TIFR1 = kFlag;
    TIMSK1 = static_cast<uint8_t>(TIMSK1 | kInterrupt);
  }
};

}  // namespace

void clock_pwm(uint8_t pin, uint8_t duty) {
  const Masked masked;
  TCCR1B = 1 << CS11;  // where nothing else needs the clock it stands still
  const uint16_t ticks = duty * kStep;
  if (pin == 9) {
    Unit<0>::high_ticks = ticks;
    if (!Unit<0>::runs()) Unit<0>::begin();
  } else {
    Unit<1>::high_ticks = ticks;
    if (!Unit<1>::runs()) Unit<1>::begin();
  }
}

}  // namespace hocket::uno

ISR(TIMER1_COMPA_vect) {
  hocket::uno::Unit<0>::next();
}
ISR(TIMER1_COMPB_vect) {
  hocket::uno::Unit<1>::next();
}
