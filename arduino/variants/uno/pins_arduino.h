// The pins of an Arduino Uno by their names, and what a pin whose number is a constant costs: one
// instruction.
//
//   pins  0 …  7   port D, bits 0 … 7       pins 14 … 19 (A0 … A5)   port C, bits 0 … 5
//   pins  8 … 13   port B, bits 0 … 5
#pragma once

#include <avr/io.h>
#include <stdint.h>

#include "api/Common.h"

#define NUM_DIGITAL_PINS 20
#define NUM_ANALOG_INPUTS 6
#define LED_BUILTIN 13

#define PIN_A0 14
#include "arduino/variants/analog_pins.h"

// Timer 1, and with it pins 9 and 10, is the kernel's clock.
#define digitalPinHasPWM(pin) ((pin) == 3 || (pin) == 5 || (pin) == 6 || (pin) == 11)
#define digitalPinToInterrupt(pin) ((pin) == 2 || (pin) == 3 ? (pin) - 2 : NOT_AN_INTERRUPT)

#define SERIAL_PORT_MONITOR Serial
#define SERIAL_PORT_HARDWARE Serial

#ifdef __cplusplus
// --- Pins known at compile time ---
//
// These are the functions of pins.cpp, seen by the compiler: with a constant pin each becomes the
// instruction that it amounts to (sbi, cbi, sbis); with any other a call.

extern "C" {
void hocket_pin_mode(pin_size_t pin, int mode);
void hocket_digital_write(pin_size_t pin, int value);
int hocket_digital_read(pin_size_t pin);
}

namespace hocket::uno {

using Register = volatile uint8_t;
#define HOCKET_INLINE_ inline __attribute__((always_inline))

constexpr bool exists(pin_size_t pin) {
  return pin < NUM_DIGITAL_PINS;
}
constexpr uint8_t bit_of(pin_size_t pin) {
  return static_cast<uint8_t>(1u << (pin < 8 ? pin : pin < 14 ? pin - 8 : pin - 14));
}
HOCKET_INLINE_ Register& output_of(pin_size_t pin) {
  return pin < 8 ? PORTD : pin < 14 ? PORTB : PORTC;
}
HOCKET_INLINE_ Register& input_of(pin_size_t pin) {
  return pin < 8 ? PIND : pin < 14 ? PINB : PINC;
}
HOCKET_INLINE_ Register& direction_of(pin_size_t pin) {
  return pin < 8 ? DDRD : pin < 14 ? DDRB : DDRC;
}
/// Whether the pin's timer makes PWM on it (COM0A1 … COM2B1).
HOCKET_INLINE_ bool has_pwm_now(pin_size_t pin) {
  return pin == 3    ? (TCCR2A & (1 << COM2B1)) != 0
         : pin == 11 ? (TCCR2A & (1 << COM2A1)) != 0
         : pin == 5  ? (TCCR0A & (1 << COM0B1)) != 0
                     : (TCCR0A & (1 << COM0A1)) != 0;
}
/// One instruction, so no handler comes between.
HOCKET_INLINE_ void change(Register& port, uint8_t bits, bool set) {
  if (set) {
    port = static_cast<uint8_t>(port | bits);
  } else {
    port = static_cast<uint8_t>(port & ~bits);
  }
}

}  // namespace hocket::uno

extern "C" {
extern inline __attribute__((always_inline, gnu_inline)) void digitalWrite(pin_size_t pin,
                                                                           int value) {
  if (__builtin_constant_p(pin) && hocket::uno::exists(pin)) {
    // analogWrite() may have given the pin to a timer: looking costs two instructions.
    if (digitalPinHasPWM(pin) && hocket::uno::has_pwm_now(pin)) {
      return hocket_digital_write(pin, value);
    }
    hocket::uno::change(hocket::uno::output_of(pin), hocket::uno::bit_of(pin), value != LOW);
  } else {
    hocket_digital_write(pin, value);
  }
}
extern inline __attribute__((always_inline, gnu_inline)) int digitalRead(pin_size_t pin) {
  if (__builtin_constant_p(pin) && hocket::uno::exists(pin)) {
    return (hocket::uno::input_of(pin) & hocket::uno::bit_of(pin)) != 0 ? HIGH : LOW;
  }
  return hocket_digital_read(pin);
}
extern inline __attribute__((always_inline, gnu_inline)) void pinMode(pin_size_t pin, int mode) {
  if (__builtin_constant_p(pin) && __builtin_constant_p(mode) && hocket::uno::exists(pin) &&
      (mode == OUTPUT || mode == INPUT || mode == INPUT_PULLUP)) {
    if (mode != OUTPUT) {
      hocket::uno::change(hocket::uno::output_of(pin), hocket::uno::bit_of(pin),
                          mode == INPUT_PULLUP);
    }
    hocket::uno::change(hocket::uno::direction_of(pin), hocket::uno::bit_of(pin), mode == OUTPUT);
  } else {
    hocket_pin_mode(pin, mode);
  }
}
}  // extern "C"
#undef HOCKET_INLINE_
#endif
