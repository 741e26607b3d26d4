// Pins whose number is not known at compile time. (arduino/variants/atmega328p/pins.h has the
// others.)
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

constexpr Place hocket_places[kPins] PROGMEM = {
    {kPinD, 1 << 0, 0, 0},
    {kPinD, 1 << 1, 0, 0},
    {kPinD, 1 << 2, 0, 0},
    {kPinD, 1 << 3, kTccr2a, 1 << COM2B1},
    {kPinD, 1 << 4, 0, 0},
    {kPinD, 1 << 5, kTccr0a, 1 << COM0B1},
    {kPinD, 1 << 6, kTccr0a, 1 << COM0A1},
    {kPinD, 1 << 7, 0, 0},
    {kPinB, 1 << 0, 0, 0},
    {kPinB, 1 << 1, kTccr1a, 1 << COM1A1},  // (Never with loops.)
    {kPinB, 1 << 2, kTccr1a, 1 << COM1B1},
    {kPinB, 1 << 3, kTccr2a, 1 << COM2A1},
    {kPinB, 1 << 4, 0, 0},
    {kPinB, 1 << 5, 0, 0},
    {kPinC, 1 << 0, 0, 0},
    {kPinC, 1 << 1, 0, 0},
    {kPinC, 1 << 2, 0, 0},
    {kPinC, 1 << 3, 0, 0},
    {kPinC, 1 << 4, 0, 0},
    {kPinC, 1 << 5, 0, 0},
};

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
    const PinRegister timer = at(place.timer);
    if ((*timer & place.turns) != 0) change(*timer, place.turns, false);
  }
  change(at(place.input)[2], place.bit, value != LOW);
}

int hocket_digital_read(uint8_t pin) {
  if (pin >= kPins) return LOW;
  const Place place = input_of_place(pin);
  return (*at(place.input) & place.bit) != 0 ? HIGH : LOW;
}

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
