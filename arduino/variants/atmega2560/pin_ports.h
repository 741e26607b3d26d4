// The registers behind a pin, by the names that AVR libraries use: port and bit, the port's
// registers, and those of its pin-change interrupt. For C and C++. With a constant pin each is a
// constant; otherwise it is read from a table in flash.
#pragma once

#include <avr/io.h>
#include <avr/pgmspace.h>
#include <stdint.h>

#include "arduino/cores/avr8/mega_ports.h"

#define NOT_A_PIN 0
#define NOT_A_PORT 0

// Port numbers, as in every Arduino core for this processor.
#define PA 1
#define PB 2
#define PC 3
#define PD 4
#define PE 5
#define PF 6
#define PG 7
#define PH 8
#define PJ 10
#define PK 11
#define PL 12

// The compiler folds it with a constant; nothing else reads it, so it takes no memory.
#ifdef __cplusplus
constexpr uint8_t hocket_mega_pins[] = {HOCKET_MEGA_PORT_PINS};
#else
static const uint8_t hocket_mega_pins[] = {HOCKET_MEGA_PORT_PINS};
#endif

/// Input (0), direction (1) or output (2) of a port: A to G begin at 0x20, H to L at 0x100.
#define HOCKET_PORT_REGISTER_(port, which)                                                  \
  (*(volatile uint8_t*)(((port) < 8 ? 0x20 + 3 * ((port) - 1) : 0x100 + 3 * ((port) - 8)) + \
                        (which)))

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

#define digitalPinToPort(pin)                                         \
  ((uint8_t)((unsigned)(pin) >= 70u      ? NOT_A_PORT                 \
             : __builtin_constant_p(pin) ? hocket_mega_pins[pin] >> 4 \
                                         : pgm_read_byte(digital_pin_to_port_PGM + (pin))))
#define digitalPinToBitMask(pin)                                          \
  ((uint8_t)(__builtin_constant_p(pin) ? 1 << (hocket_mega_pins[pin] & 7) \
                                       : pgm_read_byte(digital_pin_to_bit_mask_PGM + (pin))))
#define portOutputRegister(port) (&HOCKET_PORT_REGISTER_(port, 2))
#define portInputRegister(port) (&HOCKET_PORT_REGISTER_(port, 0))
#define portModeRegister(port) (&HOCKET_PORT_REGISTER_(port, 1))

#define digitalPinToPCICR(pin) (HOCKET_HAS_CHANGES_(pin) ? &PCICR : (volatile uint8_t*)0)
#define digitalPinToPCICRbit(pin) ((pin) >= 62 ? 2 : (pin) == 14 || (pin) == 15 ? 1 : 0)
#define digitalPinToPCMSK(pin)                         \
  (!HOCKET_HAS_CHANGES_(pin)    ? (volatile uint8_t*)0 \
   : (pin) >= 62                ? &PCMSK2              \
   : (pin) == 14 || (pin) == 15 ? &PCMSK1              \
                                : &PCMSK0)
#define digitalPinToPCMSKbit(pin) \
  ((pin) >= 62   ? (pin) - 62     \
   : (pin) == 14 ? 2              \
   : (pin) == 15 ? 1              \
   : (pin) >= 50 ? 53 - (pin)     \
                 : (pin) - 6)
