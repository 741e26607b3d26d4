// AVR names of the ports behind pins, for boards without such registers. They are those of an
// Arduino Mega: a port's number and the pin's bit.
//
// `volatile uint8_t* out = portOutputRegister(digitalPinToPort(pin)); *out |= mask;` works: in a
// sketch with such registers, the tool compiles accesses to volatile bytes as calls
// (tools/hocket/builder/port_registers.py, arduino/api/port_registers.cpp).
#pragma once

#include <stdint.h>

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

/// For each pin: the port in the upper four bits, the bit in the lower four.
static const uint8_t hocket_port_pins[NUM_DIGITAL_PINS] = {
    0x50, 0x51, 0x54, 0x55, 0x75, 0x53, 0x83, 0x84, 0x85, 0x86, 0x24, 0x25, 0x26, 0x27,
    0xa1, 0xa0, 0x81, 0x80, 0x43, 0x42, 0x41, 0x40, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15,
    0x16, 0x17, 0x37, 0x36, 0x35, 0x34, 0x33, 0x32, 0x31, 0x30, 0x47, 0x72, 0x71, 0x70,
    0xc7, 0xc6, 0xc5, 0xc4, 0xc3, 0xc2, 0xc1, 0xc0, 0x23, 0x22, 0x21, 0x20, 0x60, 0x61,
    0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7};

#define HOCKET_PORT_PIN_(pin) \
  ((unsigned)(pin) < NUM_DIGITAL_PINS ? hocket_port_pins[(unsigned)(pin)] : 0)
#define digitalPinToPort(pin) ((uint8_t)(HOCKET_PORT_PIN_(pin) >> 4))
#define digitalPinToBitMask(pin) ((uint8_t)(1 << (HOCKET_PORT_PIN_(pin) & 7)))
#define HOCKET_PORT_REGISTER_(port, which) \
  (hocket_port_registers + 3 * ((unsigned)(port) < HOCKET_PORTS ? (unsigned)(port) : 0) + (which))
#define portInputRegister(port) HOCKET_PORT_REGISTER_(port, 0)
#define portModeRegister(port) HOCKET_PORT_REGISTER_(port, 1)
#define portOutputRegister(port) HOCKET_PORT_REGISTER_(port, 2)
