// Pins whose number is not known at compile time; the others are in variants/uno/pins_arduino.h.
//
// A pin that is not there changes nothing and reads 0. A pin that is written is taken from the
// timer that makes its PWM (analog.cpp).
#include <avr/interrupt.h>
#include <avr/io.h>

#include "arduino/api/Common.h"
#include "arduino/runtime/system.h"

namespace {

constexpr pin_size_t kPins = 20;

struct Place {
  volatile uint8_t* input;  // then the direction, then the output register
  uint8_t bit;
};

Place place(pin_size_t pin) {
  if (pin < 8) return {&PIND, static_cast<uint8_t>(1 << pin)};
  if (pin < 14) return {&PINB, static_cast<uint8_t>(1 << (pin - 8))};
  return {&PINC, static_cast<uint8_t>(1 << (pin - 14))};
}

/// Reads, changes and writes with interrupts masked: a handler may change another pin of the port.
void change(volatile uint8_t& port, uint8_t bits, bool set) {
  const uint8_t state = SREG;
  asm volatile("cli" ::: "memory");
  port = static_cast<uint8_t>(set ? port | bits : port & ~bits);
  SREG = state;
}

/// Takes a pin from the timer that makes its PWM.
void stop_pwm(pin_size_t pin) {
  switch (pin) {
    case 3:
      change(TCCR2A, 1 << COM2B1, false);
      break;
    case 5:
      change(TCCR0A, 1 << COM0B1, false);
      break;
    case 6:
      change(TCCR0A, 1 << COM0A1, false);
      break;
    case 9:  // (In sketches with loops these bits are never set.)
      change(TCCR1A, 1 << COM1A0, false);
      break;
    case 10:
      change(TCCR1A, 1 << COM1B0, false);
      break;
    case 11:
      change(TCCR2A, 1 << COM2A1, false);
      break;
    default:
      break;
  }
}

}  // namespace

extern "C" {

void hocket_pin_mode(pin_size_t pin, int mode) {
  if (pin >= kPins) return;
  const Place p = place(pin);
  if (mode == INPUT || mode == INPUT_PULLUP) {
    change(p.input[1], p.bit, false);
    change(p.input[2], p.bit, mode == INPUT_PULLUP);
  } else if (mode == OUTPUT) {
    change(p.input[1], p.bit, true);
  }
}

void hocket_digital_write(pin_size_t pin, int value) {
  if (pin >= kPins) return;
  stop_pwm(pin);
  const Place p = place(pin);
  change(p.input[2], p.bit, value != LOW);
}

int hocket_digital_read(pin_size_t pin) {
  if (pin >= kPins) return LOW;
  const Place p = place(pin);
  return (*p.input & p.bit) != 0 ? HIGH : LOW;
}

// For who takes the address of one of these.
void pinMode(pin_size_t pin, int mode) {
  hocket_pin_mode(pin, mode);
}
void digitalWrite(pin_size_t pin, int value) {
  hocket_digital_write(pin, value);
}
int digitalRead(pin_size_t pin) {
  return hocket_digital_read(pin);
}

void interrupts(void) {
  asm volatile("sei" ::: "memory");
}
void noInterrupts(void) {
  asm volatile("cli" ::: "memory");
}

}  // extern "C"

namespace hocket::sys {

bool pin_mode(unsigned pin, PinMode mode) {
  if (pin >= kPins) return false;
  hocket_pin_mode(pin, mode == PinMode::Output        ? OUTPUT
                       : mode == PinMode::InputPullup ? INPUT_PULLUP
                                                      : INPUT);
  return true;
}

}  // namespace hocket::sys
