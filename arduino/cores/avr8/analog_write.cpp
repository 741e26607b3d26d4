// PWM. Timer 0 makes it on pins 5 and 6, timer 2 on 3 and 11 unless tone() or a
// servo has it. Timer 1 is the clock; in sketches without loops, for which this file is compiled a
// second time (HOCKET_WITHOUT_LOOPS), its compare units make PWM on pins 9 and 10 (clock_pwm.cpp).
// A pin without PWM shows the nearer of the two levels.
#include <avr/io.h>

#include "arduino/api/Common.h"
#include "arduino/cores/avr8/clock_pwm.h"
#include "pins_arduino.h"

/// Not 0 while tone() or a servo has timer 2; only there in a sketch that uses one of them.
extern "C" volatile uint8_t hocket_timer2_taken __attribute__((weak));
asm(".weak hocket_timer2_taken");  // as in core.cpp

namespace {

/// Writes with interrupts masked: a handler may change other bits of the register.
void set_bits(volatile uint8_t& control, uint8_t bits) {
  const uint8_t state = SREG;
  asm volatile("cli" ::: "memory");
  control = static_cast<uint8_t>(control | bits);
  SREG = state;
}

/// Whether PWM can be made on this pin now.
bool has_pwm(pin_size_t pin) {
  if (pin == 5 || pin == 6) return true;
  if (pin == 9 || pin == 10) return hocket::uno::kClockMakesPwm;
  if (pin != 3 && pin != 11) return false;
  return &hocket_timer2_taken == nullptr || hocket_timer2_taken == 0;
}

int write_bits = 8;

}  // namespace

extern "C" {

void analogWriteResolution(int bits) {
  write_bits = constrain(bits, 1, 31);
}

// --- PWM: 488 Hz on timer 2 and 977 Hz on timer 0, as on every Uno (fast mode on both) ---

void analogWrite(pin_size_t pin, int value) {
  hocket_pin_mode(pin, OUTPUT);
  const long most = (1L << write_bits) - 1;
  const long duty = constrain(static_cast<long>(value), 0L, most);
  const auto eight =
      static_cast<uint8_t>(write_bits >= 8 ? duty >> (write_bits - 8) : duty << (8 - write_bits));
  if (!has_pwm(pin) || duty == 0 || duty == most) return hocket_digital_write(pin, duty > most / 2);
  if (pin == 5 || pin == 6) {
    TCCR0B = (1 << CS01) | (1 << CS00);
    set_bits(TCCR0A, (1 << WGM01) | (1 << WGM00));
    (pin == 5 ? OCR0B : OCR0A) = eight;
    set_bits(TCCR0A, pin == 5 ? 1 << COM0B1 : 1 << COM0A1);
  } else if (hocket::uno::kClockMakesPwm && (pin == 9 || pin == 10)) {
    hocket::uno::clock_pwm(pin, eight);
  } else {
    TCCR2B = (1 << CS22) | (1 << CS20);
    set_bits(TCCR2A, (1 << WGM21) | (1 << WGM20));
    (pin == 3 ? OCR2B : OCR2A) = eight;
    set_bits(TCCR2A, pin == 3 ? 1 << COM2B1 : 1 << COM2A1);
  }
}

}  // extern "C"
