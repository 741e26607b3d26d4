// tone() on the Uno: timer 2 interrupts at each half period, and the handler turns the pin over. So
// any pin will do, one at a time, as on every Uno; pins 3 and 11 have no PWM meanwhile.
//
// The timer counts to a compare value of 8 bits (CTC mode) at the finest of its clocks that reaches
// so far. A tone is off by 0.8 % at most up to 3.9 kHz, by 1.6 % up to 31 kHz. (Data sheet, 18.)
#include <avr/io.h>
#include <avr/pgmspace.h>

#include "arduino/api/Common.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/device_time.h"
#include "arduino/cores/avr8/pwm_timers.h"
#include "pins_arduino.h"
#include "ports/avr8/port.h"

/// analogWrite() leaves the timer alone while this is not 0.
extern "C" volatile uint8_t hocket_timer2_taken;
volatile uint8_t hocket_timer2_taken = 0;

namespace {

constexpr pin_size_t kNone = NUM_DIGITAL_PINS;
constexpr uint32_t kForever = 0;
constexpr uint32_t kLongest = 0xffffffff;
constexpr uint32_t kLowest = 31;  // hertz: 256 counts of the slowest clock, twice

volatile pin_size_t sounding = kNone;
volatile uint8_t* toggle;  // writing a one to the input register turns the output over (14.2.2)
uint8_t pin_bit;
// Half periods to come after the next one, in two parts: the interrupt comes 131,000 times a second
// at most, and has no time for all of them each time.
bool has_end;  // else it sounds until noTone()
uint8_t turns_left;
uint32_t turns_by_256_left;

/// Cycles in a count, as powers of two; CS22 … CS20 select the first with 1.
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

/// Half periods in `duration` milliseconds; a time beyond what can be counted is the longest.
uint32_t turns(uint32_t hertz, uint32_t duration) {
  const uint32_t a_second = 2 * hertz;
  const uint32_t seconds = duration / 1000;
  if (seconds >= kLongest / a_second) return kLongest;
  return a_second * seconds + a_second * (duration % 1000) / 1000;
}

/// Masked.
void begin(pin_size_t pin) {
  hocket_digital_write(pin, LOW);  // takes it from PWM
  hocket_pin_mode(pin, OUTPUT);
  toggle = &hocket::uno::input_of(pin);
  pin_bit = hocket::uno::bit_of(pin);
  sounding = pin;
  hocket_timer2_taken = 1;
  TCCR2A = 1 << WGM21;
  TCNT2 = 0;
  TIFR2 = 1 << OCF2A;
  TIMSK2 = static_cast<uint8_t>(TIMSK2 | (1 << OCIE2A));
  *toggle = pin_bit;  // as on the stock core, where a match is pending from before
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
    if (turns_by_256_left == 0) return end();  // low, as it ends
    --turns_by_256_left;
  }
  *toggle = pin_bit;
  hocket::uno::device_ended();
}

/// Any context. While a tone is on another pin this one is not begun.
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
    // Beyond the new compare value the counter would go all the way round. Below, it goes on: a
    // tone that is changed often must not begin anew each time.
    if (TCNT2 > setting.compare) TCNT2 = 0;
  }
}

void noTone(pin_size_t pin) {
  const hocket::uno::Masked masked;
  if (pin < NUM_DIGITAL_PINS && sounding == pin) end();
}
