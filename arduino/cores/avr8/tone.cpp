// tone() on the Uno. Timer 2 interrupts at each half period, and the handler toggles the pin. So
// any pin works, one at a time, as on every Uno. Pins 3 and 11 have no PWM meanwhile.
//
// The timer counts to an 8-bit compare value (CTC mode), with the finest of its clocks that is slow
// enough. A tone is off by at most 0.8 % up to 3.9 kHz, by 1.6 % up to 31 kHz. (Data sheet, 18.)
#include <avr/io.h>
#include <avr/pgmspace.h>

#include "arduino/api/Common.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/device_time.h"
#include "arduino/cores/avr8/pwm_timers.h"
#include "pins_arduino.h"
#include "ports/avr8/port.h"

/// analogWrite() does not use the timer while this is not 0.
extern "C" volatile uint8_t hocket_timer2_taken;
volatile uint8_t hocket_timer2_taken = 0;

namespace {

constexpr pin_size_t kNone = NUM_DIGITAL_PINS;
constexpr uint32_t kForever = 0;
constexpr uint32_t kLongest = 0xffffffff;
constexpr uint32_t kLowest = 31;  // hertz: 256 counts of the slowest clock, twice

volatile pin_size_t sounding = kNone;
volatile uint8_t* toggle;  // writing a 1 to the input register toggles the output (14.2.2)
uint8_t pin_bit;
// Half periods after the next one, in two parts: the interrupt comes up to 131,000 times per second
// and has no time to decrement all bytes each time.
bool has_end;  // false: it sounds until noTone()
uint8_t turns_left;
uint32_t turns_by_256_left;

/// Cycles of a count, as powers of two; the first has CS22 … CS20 = 1.
constexpr uint8_t kShifts[] PROGMEM = {0, 3, 5, 6, 7, 8, 10};
constexpr uint8_t kClocks = sizeof kShifts;

struct Setting {
  uint8_t clock;
  uint8_t compare;
};

Setting setting_of(uint32_t hertz) {
  const uint32_t half_period = F_CPU / 2 / hertz;  // cycles
  uint8_t clock = 1;
  for (;; ++clock) {
    const uint8_t shift = pgm_read_byte(&kShifts[clock - 1]);
    const uint32_t counts = (half_period + (uint32_t{1} << shift) / 2) >> shift;
    if (counts <= 256) return {clock, static_cast<uint8_t>(counts - 1)};
    if (clock == kClocks) return {clock, 255};
  }
}

/// Half periods in `duration` milliseconds; saturates.
uint32_t turns(uint32_t hertz, uint32_t duration) {
  const uint32_t a_second = 2 * hertz;
  const uint32_t seconds = duration / 1000;
  if (seconds >= kLongest / a_second) return kLongest;
  return a_second * seconds + a_second * (duration % 1000) / 1000;
}

/// Masked.
void begin(pin_size_t pin) {
  hocket_digital_write(pin, LOW);  // disconnects it from PWM
  hocket_pin_mode(pin, OUTPUT);
  toggle = &hocket::uno::input_of(pin);
  pin_bit = hocket::uno::bit_of(pin);
  sounding = pin;
  hocket_timer2_taken = 1;
  TCCR2A = 1 << WGM21;
  TCNT2 = 0;
  TIFR2 = 1 << OCF2A;
  TIMSK2 = static_cast<uint8_t>(TIMSK2 | (1 << OCIE2A));
  *toggle = pin_bit;  // like the stock core, where a match is still pending
}

/// Masked.
void end() {
  TIMSK2 = static_cast<uint8_t>(TIMSK2 & ~(1 << OCIE2A));
  hocket::uno::give_timer2_to_pwm();
  hocket_digital_write(sounding, LOW);
  sounding = kNone;
  hocket_timer2_taken = 0;
}

}  // namespace

HOCKET_AVR8_HANDLER(TIMER2_COMPA_vect) {
  if (has_end && turns_left-- == 0) {
    if (turns_by_256_left == 0) return end();  // the tone ends low
    --turns_by_256_left;
  }
  *toggle = pin_bit;
  hocket::uno::device_ended();
}

/// Any context. While another pin has a tone, this one is not started.
void tone(pin_size_t pin, unsigned int frequency, unsigned long duration) {
  if (frequency == 0) return noTone(pin);
  if (pin >= NUM_DIGITAL_PINS) return;
  const uint32_t hertz = frequency < kLowest ? kLowest : frequency;
  const uint32_t count = duration == 0 ? kForever : turns(hertz, duration);
  if (duration != 0 && count == 0) return noTone(pin);
  const Setting setting = setting_of(hertz);
  const hocket::uno::Masked masked;
  if (sounding == kNone) begin(pin);
  if (sounding == pin) {
    has_end = count != kForever;
    turns_left = static_cast<uint8_t>(count - 1);
    turns_by_256_left = (count - 1) >> 8;
    OCR2A = setting.compare;
    TCCR2B = setting.clock;
    // If the counter is beyond the new compare value, it would run through its whole range.
    // Otherwise it continues, because a tone that is changed often must not restart each time.
    if (TCNT2 > setting.compare) TCNT2 = 0;
  }
}

void noTone(pin_size_t pin) {
  const hocket::uno::Masked masked;
  if (pin < NUM_DIGITAL_PINS && sounding == pin) end();
}
