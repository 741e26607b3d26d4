// Emulates port registers on boards that do not have them: accesses become pin operations
// (arduino/variants/port_pins.h).
//
// As on an AVR: a bit of the output register is the level of an output and the pull-up of an input.
// Writing a 1 to the input register toggles an output.
#include "arduino/api/Common.h"
#include "arduino/api/pin_modes.h"

#if __has_include("pins_arduino.h")
#include "pins_arduino.h"
#endif

#ifdef HOCKET_PORTS

// Only the addresses matter; the calls below supply the contents.
extern "C" volatile uint8_t hocket_port_registers[3 * HOCKET_PORTS] = {};

namespace {

enum Which : unsigned { Input, Mode, Output };

bool is_output(unsigned pin) {
  return hocket_pin_modes[pin] == OUTPUT || hocket_pin_modes[pin] == OUTPUT_OPENDRAIN;
}

bool get(unsigned pin, Which which) {
  if (which == Mode) return is_output(pin);
  if (which == Input || is_output(pin)) return digitalRead(pin) != LOW;
  return hocket_pin_modes[pin] == INPUT_PULLUP;
}

void set(unsigned pin, Which which, bool value) {
  if (which == Input) {
    if (value) set(pin, Output, !get(pin, Output));
  } else if (get(pin, which) == value) {
    return;
  } else if (which == Mode) {
    pinMode(pin, value ? OUTPUT : INPUT);
  } else if (is_output(pin)) {
    digitalWrite(pin, value ? HIGH : LOW);
  } else {
    pinMode(pin, value ? INPUT_PULLUP : INPUT);
  }
}

/// Calls `what` with each pin of the register's port and its bit.
template <typename What>
void each_pin(unsigned port, What what) {
  for (unsigned pin = 0; pin < NUM_DIGITAL_PINS; ++pin) {
    if (hocket_port_pins[pin] >> 4 == port) what(pin, 1u << (hocket_port_pins[pin] & 7));
  }
}

/// The register's number, or a larger one if the address is not a port register.
size_t number_of(const volatile uint8_t* at) {
  return reinterpret_cast<uintptr_t>(at) - reinterpret_cast<uintptr_t>(hocket_port_registers);
}

}  // namespace

extern "C" {

uint8_t hocket_load_register(const volatile uint8_t* at) {
  const size_t number = number_of(at);
  if (number >= sizeof hocket_port_registers) return *at;
  unsigned value = 0;
  each_pin(static_cast<unsigned>(number / 3), [&](unsigned pin, unsigned bit) {
    if (get(pin, static_cast<Which>(number % 3))) value |= bit;
  });
  return static_cast<uint8_t>(value);
}

void hocket_store_register(volatile uint8_t* at, uint8_t value) {
  const size_t number = number_of(at);
  if (number >= sizeof hocket_port_registers) {
    *at = value;
    return;
  }
  each_pin(static_cast<unsigned>(number / 3), [&](unsigned pin, unsigned bit) {
    set(pin, static_cast<Which>(number % 3), (value & bit) != 0);
  });
}

}  // extern "C"

#endif
