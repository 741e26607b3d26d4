// Pins whose number is not known at compile time. (arduino/variants/avr8/pin_functions.h has
// the others; pin_places_*.h have the registers.)
//
// A pin that does not exist changes nothing and reads 0. Writing a pin disconnects it from the
// timer that makes its PWM (analog_write.cpp).
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>

#include "arduino/api/Common.h"
#include "arduino/cores/avr8/pin_places.h"
#include "arduino/runtime/system.h"

using namespace hocket::uno;

#ifdef __AVR_ATmega2560__
#include "arduino/cores/avr8/pin_places_atmega2560.h"
#else
#include "arduino/cores/avr8/pin_places_atmega328p.h"
#endif

namespace {

/// Changes bits with interrupts masked, because a handler may change another pin of the port.
void change(volatile uint8_t& port, uint8_t bits, bool set) {
  const uint8_t state = SREG;
  asm volatile("cli" ::: "memory");
  port = static_cast<uint8_t>(set ? port | bits : port & ~bits);
  SREG = state;
}

}  // namespace

extern "C" {

void hocket_pin_mode(uint8_t pin, int mode) {
  if (pin >= kPins) return;
  const Place place = input_of_place(pin);
  const PinRegister input = at(place.input);
  if (mode != INPUT && mode != INPUT_PULLUP && mode != OUTPUT) return;
  const uint8_t state = SREG;
  asm volatile("cli" ::: "memory");
  if (mode == OUTPUT) {
    input[1] = static_cast<uint8_t>(input[1] | place.bit);
  } else {
    const auto others = static_cast<uint8_t>(~place.bit);
    input[1] = static_cast<uint8_t>(input[1] & others);
    auto output = static_cast<uint8_t>(input[2] & others);
    if (mode == INPUT_PULLUP) output |= place.bit;
    input[2] = output;
  }
  SREG = state;
}

void hocket_digital_write(uint8_t pin, int value) {
  if (pin >= kPins) return;
  const Place place = place_of(pin);
  if (place.turns != 0) {
    const PinRegister timer = timer_at(place.timer);
    if ((*timer & place.turns) != 0) change(*timer, place.turns, false);
  }
  change(at(place.input)[2], place.bit, value != LOW);
}

int hocket_digital_read(uint8_t pin) {
  if (pin >= kPins) return LOW;
  const Place place = input_of_place(pin);
  return (*at(place.input) & place.bit) != 0 ? HIGH : LOW;
}

#ifdef __AVR_ATmega2560__
// For pins.h: what a pin has that is not known at compile time.
volatile uint8_t* hocket_input_register(uint8_t pin) {
  return at(input_of_place(pin).input);
}
uint8_t hocket_bit(uint8_t pin) {
  return input_of_place(pin).bit;
}
#endif

// For code that takes the address of one of these functions.
void pinMode(pin_size_t pin, int mode) {
  hocket_pin_mode(pin, mode);
}
void digitalWrite(pin_size_t pin, int value) {
  hocket_digital_write(pin, value);
}
int digitalRead(pin_size_t pin) {
  return hocket_digital_read(pin);
}

void(interrupts)(void) {
  interrupts();
}
void(noInterrupts)(void) {
  noInterrupts();
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
