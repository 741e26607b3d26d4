// The pins of a board with an ATmega328P that numbers them as the Arduino Uno does. An access to a
// pin whose number is a constant costs one instruction. The board's pins_arduino.h defines
// HOCKET_BOARD_IS, its name in messages, and NUM_ANALOG_INPUTS, at most 8.
//
//   pins  0 …  7   port D, bits 0 … 7       pins 14 … 19 (A0 … A5)   port C, bits 0 … 5
//   pins  8 … 13   port B, bits 0 … 5
#pragma once

#include <avr/io.h>
#include <stdint.h>

#include "api/Common.h"
#include "pin_ports.h"

#define NUM_DIGITAL_PINS 20
#define LED_BUILTIN HOCKET_LED_PIN  // board.toml: led_pin

#define PIN_A0 14
#include "arduino/variants/analog_pins.h"
// Analog inputs that the chip has in its flat package (SMD Uno, Nano). They are no digital pins.
#define PIN_A6 20
#define PIN_A7 21
#ifndef A6
static const uint8_t A6 = PIN_A6;
#endif
#ifndef A7
static const uint8_t A7 = PIN_A7;
#endif

// The bus pins, for the libraries SPI and Wire.
#define PIN_SPI_SS 10
#define PIN_SPI_MOSI 11
#define PIN_SPI_MISO 12
#define PIN_SPI_SCK 13
#define PIN_WIRE_SDA 18
#define PIN_WIRE_SCL 19
#include "arduino/variants/bus_pins.h"

// (In sketches with loops timer 1 is the clock, and analogWrite() on pins 9 and 10 sets a level.)
#define digitalPinHasPWM(pin) \
  ((pin) == 3 || (pin) == 5 || (pin) == 6 || (pin) == 9 || (pin) == 10 || (pin) == 11)
#include "arduino/variants/timer_names.h"
#define digitalPinToTimer(pin) \
  ((pin) == 3    ? TIMER2B     \
   : (pin) == 5  ? TIMER0B     \
   : (pin) == 6  ? TIMER0A     \
   : (pin) == 9  ? TIMER1A     \
   : (pin) == 10 ? TIMER1B     \
   : (pin) == 11 ? TIMER2A     \
                 : NOT_ON_TIMER)
// Pins 2 and 3 have their own interrupts; the others have pin-change interrupts (pin_interrupts.h).
#define HOCKET_PIN_CHANGES_FROM 32
#define digitalPinToInterrupt(pin)                                 \
  ((pin) == 2 || (pin) == 3 ? (pin) - 2                            \
   : (unsigned)(pin) < 20u  ? (int)(pin) + HOCKET_PIN_CHANGES_FROM \
                            : NOT_AN_INTERRUPT)

#define SERIAL_PORT_MONITOR Serial
#define SERIAL_PORT_HARDWARE Serial

#define HOCKET_PINS_ARE_ "0 to 13 and A0 to A5 (14 to 19)"
#define HOCKET_ANALOG_INPUTS_ARE_ "A0 to A7, or 0 to 7"
#define HOCKET_NO_ANALOG_INPUT_(pin) ((pin) >= 8 && ((pin) < 14 || (pin) > 21))
/// A6 and A7 have names, so calls that use them as digital pins compile, as with the stock core;
/// tools/hocket/builder/analog_only.py warns of them.
#define HOCKET_NO_PIN_(pin) ((pin) > PIN_A7)
#include "arduino/variants/avr8/pin_refusals.h"

#ifdef __cplusplus
namespace hocket {
namespace uno {

using Register = volatile uint8_t;

constexpr bool exists(pin_size_t pin) {
  return pin < NUM_DIGITAL_PINS;
}
/// (In line, because gcc keeps a copy otherwise of what it finds too late to be a constant.)
HOCKET_INLINE_ constexpr uint8_t bit_of(pin_size_t pin) {
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
/// Whether the pin's timer makes PWM on it now (COM0A1 … COM2B1). Timer 1 does only in sketches
/// without loops.
HOCKET_INLINE_ bool has_pwm_now(pin_size_t pin) {
  return pin == 3    ? (TCCR2A & (1 << COM2B1)) != 0
         : pin == 11 ? (TCCR2A & (1 << COM2A1)) != 0
         : pin == 9  ? (TCCR1A & (1 << COM1A1)) != 0
         : pin == 10 ? (TCCR1A & (1 << COM1B1)) != 0
         : pin == 5  ? (TCCR0A & (1 << COM0B1)) != 0
                     : (TCCR0A & (1 << COM0A1)) != 0;
}
/// Whether one instruction changes a pin of the port (sbi, cbi): no interrupt can come between.
constexpr bool is_in_reach(pin_size_t) {
  return true;
}

}  // namespace uno
}  // namespace hocket
#endif
#include "arduino/variants/avr8/pin_functions.h"
