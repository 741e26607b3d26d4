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

using hocket::uno::Tone;

namespace {

constexpr pin_size_t kNone = NUM_DIGITAL_PINS;
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

extern "C" {

/// Any context. While another pin has a tone, this one is not started.
void hocket_tone_set(pin_size_t pin, uint8_t clock, uint8_t compare, unsigned long turns) {
  if (pin >= NUM_DIGITAL_PINS) return;
  const hocket::uno::Masked masked;
  if (sounding == kNone) begin(pin);
  if (sounding == pin) {
    has_end = turns != 0;
    turns_left = static_cast<uint8_t>(turns - 1);
    turns_by_256_left = (turns - 1) >> 8;
    OCR2A = compare;
    TCCR2B = clock;
    // If the counter is beyond the new compare value, it would run through its whole range.
    // Otherwise it continues, because a tone that is changed often must not restart each time.
    if (TCNT2 > compare) TCNT2 = 0;
  }
}

void hocket_tone_turns(pin_size_t pin, unsigned int frequency, unsigned long turns) {
  if (frequency == 0) return noTone(pin);
  const uint32_t half_period = F_CPU / 2 / Tone::hertz(frequency);  // cycles
  uint8_t clock = 1;
  uint32_t counts;
  do {
    counts = Tone::counts(half_period, pgm_read_byte(&kShifts[clock - 1]));
  } while (counts > 256 && clock++ != kClocks);
  const bool fits = counts <= 256;
  hocket_tone_set(pin, fits ? clock : kClocks, static_cast<uint8_t>(fits ? counts - 1 : 255),
                  turns);
}

void hocket_tone(pin_size_t pin, unsigned int frequency, unsigned long duration) {
  const uint32_t turns = Tone::turns(Tone::hertz(frequency), duration);
  if (duration != 0 && turns == 0) frequency = 0;
  hocket_tone_turns(pin, frequency, turns);
}

}  // extern "C"

// For code that takes the address, and for C++ that is not optimised: tone() is inline.
asm(".global _Z4tonejjm\n.set _Z4tonejjm, hocket_tone");

void noTone(pin_size_t pin) {
  const hocket::uno::Masked masked;
  if (pin < NUM_DIGITAL_PINS && sounding == pin) end();
}
