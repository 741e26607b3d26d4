// The registers behind a pin, by the names that AVR libraries use: port and bit, the port's
// registers, and those of its pin-change interrupt. For C and C++. With a constant pin each is a
// constant.
#pragma once

#include <avr/io.h>
#include <stdint.h>

#define NOT_A_PIN 0
#define NOT_A_PORT 0

// Port numbers, as in every Arduino core for this processor.
#define HOCKET_PORT_B 2
#define HOCKET_PORT_C 3
#define HOCKET_PORT_D 4
#define PB HOCKET_PORT_B
#define PC HOCKET_PORT_C
#define PD HOCKET_PORT_D

/// Selects `d`, `b` or `c` by the port of this pin.
#define HOCKET_BY_PORT_(pin, d, b, c) ((pin) < 8 ? (d) : (pin) < 14 ? (b) : (c))
/// Selects `b`, `c` or `d` by this port.
#define HOCKET_OF_PORT_(port, b, c, d) \
  ((volatile uint8_t*)((port) == HOCKET_PORT_B ? &(b) : (port) == HOCKET_PORT_C ? &(c) : &(d)))
#define HOCKET_BIT_OF_(pin) HOCKET_BY_PORT_(pin, (pin), (pin) - 8, (pin) - 14)

#define digitalPinToPort(pin)          \
  ((unsigned)(pin) >= 20u ? NOT_A_PORT \
                          : HOCKET_BY_PORT_(pin, HOCKET_PORT_D, HOCKET_PORT_B, HOCKET_PORT_C))
#define digitalPinToBitMask(pin) ((uint8_t)(1 << HOCKET_BIT_OF_(pin)))
#define portOutputRegister(port) HOCKET_OF_PORT_(port, PORTB, PORTC, PORTD)
#define portInputRegister(port) HOCKET_OF_PORT_(port, PINB, PINC, PIND)
#define portModeRegister(port) HOCKET_OF_PORT_(port, DDRB, DDRC, DDRD)

// The same as tables in flash, by pin and by port. Libraries read them by these names.
#ifdef __cplusplus
extern "C" {
#endif
extern const uint8_t digital_pin_to_port_PGM[];
extern const uint8_t digital_pin_to_bit_mask_PGM[];
extern const uint8_t digital_pin_to_timer_PGM[];
extern const uint16_t port_to_mode_PGM[];
extern const uint16_t port_to_output_PGM[];
extern const uint16_t port_to_input_PGM[];
#ifdef __cplusplus
}
#endif

#define digitalPinToPCICR(pin) ((unsigned)(pin) < 20u ? &PCICR : (volatile uint8_t*)0)
#define digitalPinToPCICRbit(pin) HOCKET_BY_PORT_(pin, 2, 0, 1)
#define digitalPinToPCMSK(pin) \
  ((unsigned)(pin) < 20u ? &HOCKET_BY_PORT_(pin, PCMSK2, PCMSK0, PCMSK1) : (volatile uint8_t*)0)
#define digitalPinToPCMSKbit(pin) HOCKET_BIT_OF_(pin)
