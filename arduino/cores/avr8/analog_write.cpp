// analogWrite(): the timers run as init() has left them (plain_init.S, core.cpp), so a pin needs
// its compare value and its mode bit. 977 Hz on pins 5 and 6, 490 Hz on the others, as on the stock
// core. Beside loops timer 1 is the clock, and pins 9 and 10 have no PWM; without loops, for which
// this file is compiled a second time, they have. Where tone() or servos have a pin's timer it
// shows the nearer of the two levels.
#include <avr/io.h>

#include "arduino/api/Common.h"
#include "arduino/cores/avr8/core.h"
#include "pins_arduino.h"

extern "C" {
/// Not 0 while servos or tone() have the timer; only there in a sketch that uses them.
extern volatile uint8_t hocket_timer1_taken __attribute__((weak));
extern volatile uint8_t hocket_timer2_taken __attribute__((weak));
int hocket_duty(int value) __attribute__((weak));  // analog_resolution.cpp
}
asm(".weak hocket_timer1_taken, hocket_timer2_taken, hocket_duty");  // as in core.cpp

namespace {

#ifdef HOCKET_WITHOUT_LOOPS
constexpr bool kTimer1IsFree = true;
#else
constexpr bool kTimer1IsFree = false;
#endif

bool is_taken(const volatile uint8_t* taken) {
  return taken != nullptr && *taken != 0;
}

void set_bit(volatile uint8_t& control, uint8_t bit) {
  control = static_cast<uint8_t>(control | bit);
}

/// Whether a timer makes this pulse now. In one section: a handler may change other bits of its
/// registers, or begin a tone.
bool begin_pulse(pin_size_t pin, uint8_t duty) {
  const hocket::uno::Masked masked;
  if (pin == 5 || pin == 6) {
    set_bit(TCCR0A, pin == 5 ? 1 << COM0B1 : 1 << COM0A1);
    (pin == 5 ? OCR0B : OCR0A) = duty;
  } else if ((pin == 3 || pin == 11) && !is_taken(&hocket_timer2_taken)) {
    set_bit(TCCR2A, pin == 3 ? 1 << COM2B1 : 1 << COM2A1);
    (pin == 3 ? OCR2B : OCR2A) = duty;
  } else if (kTimer1IsFree && (pin == 9 || pin == 10) && !is_taken(&hocket_timer1_taken)) {
    set_bit(TCCR1A, pin == 9 ? 1 << COM1A1 : 1 << COM1B1);
    (pin == 9 ? OCR1A : OCR1B) = duty;
  } else {
    return false;
  }
  return true;
}

}  // namespace

extern "C" void hocket_analog_write(pin_size_t pin, int value) {
  hocket_pin_mode(pin, OUTPUT);
  if (&hocket_duty != nullptr) value = hocket_duty(value);
  if (value > 0 && value < 255 && begin_pulse(pin, static_cast<uint8_t>(value))) return;
  hocket_digital_write(pin, value > 127);
}

// For callers that take the address (pins_arduino.h has it in line).
asm(".global analogWrite\n.set analogWrite, hocket_analog_write");
