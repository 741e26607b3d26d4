// Names of the analog inputs: A0 is PIN_A0, and so on. The board's variant has defined PIN_A0 and
// NUM_ANALOG_INPUTS, 6 or 16.
//
// Each name is a constant and also a macro, because libraries test with #ifdef which inputs exist.
#pragma once

#include <stdint.h>

#if NUM_ANALOG_INPUTS != 6 && NUM_ANALOG_INPUTS != 16
#error "names for 6 or 16 analog inputs"
#endif

#ifdef __cplusplus
#define HOCKET_ANALOG_PIN_ constexpr
#else
#define HOCKET_ANALOG_PIN_ static const
#endif

HOCKET_ANALOG_PIN_ uint8_t A0 = PIN_A0;
HOCKET_ANALOG_PIN_ uint8_t A1 = PIN_A0 + 1;
HOCKET_ANALOG_PIN_ uint8_t A2 = PIN_A0 + 2;
HOCKET_ANALOG_PIN_ uint8_t A3 = PIN_A0 + 3;
HOCKET_ANALOG_PIN_ uint8_t A4 = PIN_A0 + 4;
HOCKET_ANALOG_PIN_ uint8_t A5 = PIN_A0 + 5;
#define A0 A0
#define A1 A1
#define A2 A2
#define A3 A3
#define A4 A4
#define A5 A5

#if NUM_ANALOG_INPUTS == 16
HOCKET_ANALOG_PIN_ uint8_t A6 = PIN_A0 + 6;
HOCKET_ANALOG_PIN_ uint8_t A7 = PIN_A0 + 7;
HOCKET_ANALOG_PIN_ uint8_t A8 = PIN_A0 + 8;
HOCKET_ANALOG_PIN_ uint8_t A9 = PIN_A0 + 9;
HOCKET_ANALOG_PIN_ uint8_t A10 = PIN_A0 + 10;
HOCKET_ANALOG_PIN_ uint8_t A11 = PIN_A0 + 11;
HOCKET_ANALOG_PIN_ uint8_t A12 = PIN_A0 + 12;
HOCKET_ANALOG_PIN_ uint8_t A13 = PIN_A0 + 13;
HOCKET_ANALOG_PIN_ uint8_t A14 = PIN_A0 + 14;
HOCKET_ANALOG_PIN_ uint8_t A15 = PIN_A0 + 15;
#define A6 A6
#define A7 A7
#define A8 A8
#define A9 A9
#define A10 A10
#define A11 A11
#define A12 A12
#define A13 A13
#define A14 A14
#define A15 A15
#endif

#undef HOCKET_ANALOG_PIN_

#define analogInputToDigitalPin(n) ((n) < NUM_ANALOG_INPUTS ? (n) + PIN_A0 : -1)
