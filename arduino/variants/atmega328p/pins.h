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

#ifdef __cplusplus
#define HOCKET_INLINE_ inline __attribute__((always_inline))
/// Refuses a call whose arguments are constants that make `condition` true. CMakeLists.txt makes it
/// an error for sketches. Libraries are compiled with -w, because they are written for many boards.
#ifdef __clang__
#define HOCKET_REFUSE_(condition, message) \
  __attribute__((diagnose_if(condition, message, "warning")))
#else
#define HOCKET_REFUSE_(condition, message)  // clang has already checked the sketch (avr_gcc.py)
#endif
/// Libraries use -1 for a pin that is not connected. A6 and A7 have names, so calls that use them
/// as digital pins compile, as with the stock core; tools/hocket/builder/analog_only.py warns of
/// them.
#define HOCKET_REFUSE_PIN_(pin)                               \
  HOCKET_REFUSE_((pin) > PIN_A7 && (pin) != (pin_size_t) - 1, \
                 HOCKET_BOARD_IS " has no such pin: its pins are 0 to 13 and A0 to A5 (14 to 19)")

extern "C" {
int analogRead(pin_size_t pin)
    HOCKET_REFUSE_((pin) >= 8 && ((pin) < 14 || (pin) > 21) && (pin) != (pin_size_t)-1,
                   HOCKET_BOARD_IS " has no such analog input: they are A0 to A7, or 0 to 7");
unsigned long pulseIn(pin_size_t pin, int state, unsigned long timeout) HOCKET_REFUSE_PIN_(pin);
unsigned long pulseInLong(pin_size_t pin, int state, unsigned long timeout) HOCKET_REFUSE_PIN_(pin);
void shiftOut(pin_size_t data, pin_size_t clock, int order, uint8_t value) HOCKET_REFUSE_PIN_(data)
    HOCKET_REFUSE_PIN_(clock);
uint8_t shiftIn(pin_size_t data, pin_size_t clock, int order) HOCKET_REFUSE_PIN_(data)
    HOCKET_REFUSE_PIN_(clock);
}
void noTone(pin_size_t pin) HOCKET_REFUSE_PIN_(pin);

// --- Pins known at compile time ---
//
// These are the functions of pins.cpp, visible to the compiler. With a constant pin each becomes
// one instruction (sbi, cbi, sbis); otherwise it becomes a call.

extern "C" {
// The pin is a byte, as on the stock core: a second register would be loaded for each call.
void hocket_pin_mode(uint8_t pin, int mode);
void hocket_digital_write(uint8_t pin, int value);
int hocket_digital_read(uint8_t pin);
void hocket_analog_write(pin_size_t pin, int value);

// For sketches without loops: main() calls both first. A sketch may define the second, or a main()
// of its own that calls the first.
void init(void);
void initVariant(void);
}

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
/// One instruction, so no interrupt handler can come between.
HOCKET_INLINE_ void change(Register& port, uint8_t bits, bool set) {
  if (set) {
    port = static_cast<uint8_t>(port | bits);
  } else {
    port = static_cast<uint8_t>(port & ~bits);
  }
}

}  // namespace uno
}  // namespace hocket

extern "C" {
extern inline __attribute__((always_inline, gnu_inline)) void digitalWrite(pin_size_t pin,
                                                                           int value)
    HOCKET_REFUSE_PIN_(pin) {
  if (__builtin_constant_p(pin) && hocket::uno::exists(pin)) {
    // analogWrite() may have connected the pin to a timer. The check costs two instructions.
    const bool has_pwm = digitalPinHasPWM(pin) && hocket::uno::has_pwm_now(pin);
    if (!has_pwm) {  // the common path comes first, so that gcc falls through
      hocket::uno::change(hocket::uno::output_of(pin), hocket::uno::bit_of(pin), value != LOW);
      return;
    }
    hocket_digital_write(static_cast<uint8_t>(pin), value);
  } else {
    hocket_digital_write(static_cast<uint8_t>(pin), value);
  }
}
extern inline __attribute__((always_inline, gnu_inline)) int digitalRead(pin_size_t pin)
    HOCKET_REFUSE_PIN_(pin) {
  if (__builtin_constant_p(pin) && hocket::uno::exists(pin)) {
    return (hocket::uno::input_of(pin) & hocket::uno::bit_of(pin)) != 0 ? HIGH : LOW;
  }
  return hocket_digital_read(static_cast<uint8_t>(pin));
}
extern inline __attribute__((always_inline, gnu_inline)) void pinMode(pin_size_t pin, int mode)
    HOCKET_REFUSE_PIN_(pin) {
  if (__builtin_constant_p(pin) && __builtin_constant_p(mode) && hocket::uno::exists(pin) &&
      (mode == OUTPUT || mode == INPUT || mode == INPUT_PULLUP)) {
    if (mode != OUTPUT) {
      hocket::uno::change(hocket::uno::output_of(pin), hocket::uno::bit_of(pin),
                          mode == INPUT_PULLUP);
    }
    hocket::uno::change(hocket::uno::direction_of(pin), hocket::uno::bit_of(pin), mode == OUTPUT);
  } else {
    hocket_pin_mode(static_cast<uint8_t>(pin), mode);
  }
}
extern inline __attribute__((always_inline, gnu_inline)) void analogWrite(pin_size_t pin, int value)
    HOCKET_REFUSE_PIN_(pin) {
  hocket_analog_write(pin, value);
}
}  // extern "C"

#include "pin_interrupts.h"
#include "tones.h"
#undef HOCKET_INLINE_
#endif
