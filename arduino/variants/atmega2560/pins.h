// The pins of a board with an ATmega2560 that numbers them as the Arduino Mega does. An access to a
// pin of ports A to G whose number is a constant costs one instruction; ports H to L lie beyond
// what sbi and cbi reach. The board's pins_arduino.h defines HOCKET_BOARD_IS, its name in messages,
// and NUM_ANALOG_INPUTS, at most 16.
#pragma once

#include <avr/io.h>
#include <stdint.h>

#include "api/Common.h"

#define NUM_DIGITAL_PINS 70
#define LED_BUILTIN HOCKET_LED_PIN  // board.toml: led_pin

#define PIN_A0 54
#include "arduino/variants/analog_pins.h"
#include "pin_ports.h"

// The bus pins, for the libraries SPI and Wire.
#define PIN_SPI_SS 53
#define PIN_SPI_MOSI 51
#define PIN_SPI_MISO 50
#define PIN_SPI_SCK 52
#define PIN_WIRE_SDA 20
#define PIN_WIRE_SCL 21
// Shields have their chip select at pin 10 on a Mega as well. The library Ethernet uses this name.
#define PIN_SPI_SS_ETHERNET_LIB 10
#include "arduino/variants/bus_pins.h"

// (In sketches with loops timer 5 is the clock, and analogWrite() on pins 44 to 46 sets a level.)
#define digitalPinHasPWM(pin) (((pin) >= 2 && (pin) <= 13) || ((pin) >= 44 && (pin) <= 46))
#include "arduino/variants/mega_timers.h"
// Six pins have their own interrupts. Those of ports B, J and K share the pin-change interrupt of
// their port (pin_interrupts.h). Others have none.
#define HOCKET_PIN_CHANGES_FROM 32
#define HOCKET_HAS_CHANGES_(pin) \
  (((pin) >= 10 && (pin) <= 15) || ((pin) >= 50 && (pin) <= 53) || ((pin) >= 62 && (pin) <= 69))
#define digitalPinToInterrupt(pin)                                     \
  ((pin) == 2 || (pin) == 3     ? (pin) - 2                            \
   : (pin) >= 18 && (pin) <= 21 ? 23 - (pin)                           \
   : HOCKET_HAS_CHANGES_(pin)   ? (int)(pin) + HOCKET_PIN_CHANGES_FROM \
                                : NOT_AN_INTERRUPT)

#define SERIAL_PORT_MONITOR Serial
#define SERIAL_PORT_HARDWARE Serial
#define SERIAL_PORT_HARDWARE1 Serial1
#define SERIAL_PORT_HARDWARE2 Serial2
#define SERIAL_PORT_HARDWARE3 Serial3
#define SERIAL_PORT_HARDWARE_OPEN Serial1
#define SERIAL_PORT_HARDWARE_OPEN1 Serial2
#define SERIAL_PORT_HARDWARE_OPEN2 Serial3

#define HOCKET_PINS_ARE_ "0 to 53 and A0 to A15 (54 to 69)"
#define HOCKET_ANALOG_INPUTS_ARE_ "A0 to A15, or 0 to 15"
#define HOCKET_NO_ANALOG_INPUT_(pin) ((pin) >= 16 && ((pin) < 54 || (pin) > 69))
#define HOCKET_NO_PIN_(pin) ((pin) >= NUM_DIGITAL_PINS)
#include "arduino/variants/avr8/pin_refusals.h"

#ifdef __cplusplus
extern "C" volatile uint8_t* hocket_input_register(uint8_t pin);  // pins.cpp
extern "C" uint8_t hocket_bit(uint8_t pin);

namespace hocket {
namespace uno {

using Register = volatile uint8_t;

constexpr bool exists(pin_size_t pin) {
  return pin < NUM_DIGITAL_PINS;
}
/// The lower half of the byte: the bit. The upper one: the port, 1 for A.
HOCKET_INLINE_ constexpr uint8_t place_of_constant(pin_size_t pin) {
  return hocket_mega_pins[pin];
}
/// Whether one instruction changes a pin of the port (sbi, cbi): no interrupt can come between.
HOCKET_INLINE_ constexpr bool is_in_reach(pin_size_t pin) {
  return hocket_mega_pins[pin] < 0x80;
}
HOCKET_INLINE_ uint8_t bit_of(pin_size_t pin) {
  if (!__builtin_constant_p(pin)) return hocket_bit(static_cast<uint8_t>(pin));
  return static_cast<uint8_t>(1u << (place_of_constant(pin) & 7));
}
/// The registers of a port follow each other: input, direction, output.
HOCKET_INLINE_ Register& register_of(pin_size_t pin, uint8_t which) {
  if (!__builtin_constant_p(pin)) return hocket_input_register(static_cast<uint8_t>(pin))[which];
  return HOCKET_PORT_REGISTER_(place_of_constant(pin) >> 4, which);
}
HOCKET_INLINE_ Register& input_of(pin_size_t pin) {
  return register_of(pin, 0);
}
HOCKET_INLINE_ Register& direction_of(pin_size_t pin) {
  return register_of(pin, 1);
}
HOCKET_INLINE_ Register& output_of(pin_size_t pin) {
  return register_of(pin, 2);
}
/// Whether the pin's timer makes PWM on it now (COM0A1 … COM5C1). Timer 5 does only in sketches
/// without loops. The pins in reach of one instruction alone: the others are written by a call.
HOCKET_INLINE_ bool has_pwm_now(pin_size_t pin) {
  return pin == 2    ? (TCCR3A & (1 << COM3B1)) != 0
         : pin == 3  ? (TCCR3A & (1 << COM3C1)) != 0
         : pin == 4  ? (TCCR0A & (1 << COM0B1)) != 0
         : pin == 5  ? (TCCR3A & (1 << COM3A1)) != 0
         : pin == 10 ? (TCCR2A & (1 << COM2A1)) != 0
         : pin == 11 ? (TCCR1A & (1 << COM1A1)) != 0
         : pin == 12 ? (TCCR1A & (1 << COM1B1)) != 0
                     : (TCCR0A & (1 << COM0A1)) != 0;
}

}  // namespace uno
}  // namespace hocket
#endif
#include "arduino/variants/avr8/pin_functions.h"
