// AVR names of the ports behind pins, for boards without such registers. They are those of an
// Arduino Mega: a port's number and the pin's bit.
//
// `volatile uint8_t* out = portOutputRegister(digitalPinToPort(pin)); *out |= mask;` works: in a
// sketch with such registers, the tool compiles accesses to volatile bytes as calls
// (tools/hocket/builder/port_registers.py, arduino/api/port_registers.cpp).
#pragma once

#include <stdint.h>

#include "arduino/cores/avr8/mega_ports.h"

#define NOT_A_PIN 0
#define NOT_A_PORT 0

/// Ports A to L without I; the number of A is 1. Each has three registers: input, mode, output.
#define HOCKET_PORTS 13

#ifdef __cplusplus
extern "C" {
#endif
extern volatile uint8_t hocket_port_registers[3 * HOCKET_PORTS];
#ifdef __cplusplus
}
#endif

static const uint8_t hocket_port_pins[NUM_DIGITAL_PINS] = {HOCKET_MEGA_PORT_PINS};

#define HOCKET_PORT_PIN_(pin) \
  ((unsigned)(pin) < NUM_DIGITAL_PINS ? hocket_port_pins[(unsigned)(pin)] : 0)
#define digitalPinToPort(pin) ((uint8_t)(HOCKET_PORT_PIN_(pin) >> 4))
#define digitalPinToBitMask(pin) ((uint8_t)(1 << (HOCKET_PORT_PIN_(pin) & 7)))
#define HOCKET_PORT_REGISTER_(port, which) \
  (hocket_port_registers + 3 * ((unsigned)(port) < HOCKET_PORTS ? (unsigned)(port) : 0) + (which))
#define portInputRegister(port) HOCKET_PORT_REGISTER_(port, 0)
#define portModeRegister(port) HOCKET_PORT_REGISTER_(port, 1)
#define portOutputRegister(port) HOCKET_PORT_REGISTER_(port, 2)
