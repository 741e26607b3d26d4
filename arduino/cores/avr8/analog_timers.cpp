// PWM by timers 0 and 2: 977 Hz on pins 5 and 6, 488 Hz on 3 and 11 unless tone() or a servo has
// timer 2. A pin without PWM shows the nearer of the two levels.
#include <avr/io.h>

#include "arduino/api/Common.h"
#include "arduino/cores/avr8/core.h"
#include "pins_arduino.h"

extern "C" {
/// Not 0 while tone() or a servo has timer 2; only there in a sketch that uses one of them.
extern volatile uint8_t hocket_timer2_taken __attribute__((weak));
int hocket_duty(int value) __attribute__((weak));  // analog_resolution.cpp
}
asm(".weak hocket_timer2_taken\n.weak hocket_duty");  // as in core.cpp

namespace {

void set_bits(volatile uint8_t& control, uint8_t bits) {
  control = static_cast<uint8_t>(control | bits);
}

bool has_timer2() {
  return &hocket_timer2_taken == nullptr || hocket_timer2_taken == 0;
}

/// Whether a timer makes this pulse now. At once: a handler may change other bits of its registers,
/// and another loop may begin a tone() or a servo, whose the timer is from then on.
bool begin_pulse(pin_size_t pin, uint8_t duty) {
  const hocket::uno::Masked masked;
  if (pin == 5 || pin == 6) {
    TCCR0B = (1 << CS01) | (1 << CS00);
    set_bits(TCCR0A, (1 << WGM01) | (1 << WGM00));
    (pin == 5 ? OCR0B : OCR0A) = duty;
    set_bits(TCCR0A, pin == 5 ? 1 << COM0B1 : 1 << COM0A1);
    return true;
  }
  if ((pin != 3 && pin != 11) || !has_timer2()) return false;
  TCCR2B = (1 << CS22) | (1 << CS20);
  set_bits(TCCR2A, (1 << WGM21) | (1 << WGM20));
  (pin == 3 ? OCR2B : OCR2A) = duty;
  set_bits(TCCR2A, pin == 3 ? 1 << COM2B1 : 1 << COM2A1);
  return true;
}

}  // namespace

extern "C" void hocket_analog_write(pin_size_t pin, int value) {
  hocket_pin_mode(pin, OUTPUT);
  if (&hocket_duty != nullptr) value = hocket_duty(value);
  if (value > 0 && value < 255 && begin_pulse(pin, static_cast<uint8_t>(value))) return;
  hocket_digital_write(pin, value > 127);
}
