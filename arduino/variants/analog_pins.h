// Names of the analog inputs: A0 is PIN_A0, and so on. The board's variant has defined PIN_A0,
// NUM_DIGITAL_PINS and NUM_ANALOG_INPUTS, from 1 to 16.
//
// Each name is a constant and also a macro, because libraries test with #ifdef which inputs exist.
#pragma once

#include <stdint.h>

#if NUM_ANALOG_INPUTS < 1 || NUM_ANALOG_INPUTS > 16
#error "NUM_ANALOG_INPUTS is from 1 to 16"
#endif

#ifdef __cplusplus
#define HOCKET_ANALOG_PIN_ constexpr
#else
#define HOCKET_ANALOG_PIN_ static const
#endif

HOCKET_ANALOG_PIN_ uint8_t A0 = PIN_A0;
#define A0 A0
#if NUM_ANALOG_INPUTS > 1
HOCKET_ANALOG_PIN_ uint8_t A1 = PIN_A0 + 1;
#define A1 A1
#endif
#if NUM_ANALOG_INPUTS > 2
HOCKET_ANALOG_PIN_ uint8_t A2 = PIN_A0 + 2;
#define A2 A2
#endif
#if NUM_ANALOG_INPUTS > 3
HOCKET_ANALOG_PIN_ uint8_t A3 = PIN_A0 + 3;
#define A3 A3
#endif
#if NUM_ANALOG_INPUTS > 4
HOCKET_ANALOG_PIN_ uint8_t A4 = PIN_A0 + 4;
#define A4 A4
#endif
#if NUM_ANALOG_INPUTS > 5
HOCKET_ANALOG_PIN_ uint8_t A5 = PIN_A0 + 5;
#define A5 A5
#endif
#if NUM_ANALOG_INPUTS > 6
HOCKET_ANALOG_PIN_ uint8_t A6 = PIN_A0 + 6;
#define A6 A6
#endif
#if NUM_ANALOG_INPUTS > 7
HOCKET_ANALOG_PIN_ uint8_t A7 = PIN_A0 + 7;
#define A7 A7
#endif
#if NUM_ANALOG_INPUTS > 8
HOCKET_ANALOG_PIN_ uint8_t A8 = PIN_A0 + 8;
#define A8 A8
#endif
#if NUM_ANALOG_INPUTS > 9
HOCKET_ANALOG_PIN_ uint8_t A9 = PIN_A0 + 9;
#define A9 A9
#endif
#if NUM_ANALOG_INPUTS > 10
HOCKET_ANALOG_PIN_ uint8_t A10 = PIN_A0 + 10;
#define A10 A10
#endif
#if NUM_ANALOG_INPUTS > 11
HOCKET_ANALOG_PIN_ uint8_t A11 = PIN_A0 + 11;
#define A11 A11
#endif
#if NUM_ANALOG_INPUTS > 12
HOCKET_ANALOG_PIN_ uint8_t A12 = PIN_A0 + 12;
#define A12 A12
#endif
#if NUM_ANALOG_INPUTS > 13
HOCKET_ANALOG_PIN_ uint8_t A13 = PIN_A0 + 13;
#define A13 A13
#endif
#if NUM_ANALOG_INPUTS > 14
HOCKET_ANALOG_PIN_ uint8_t A14 = PIN_A0 + 14;
#define A14 A14
#endif
#if NUM_ANALOG_INPUTS > 15
HOCKET_ANALOG_PIN_ uint8_t A15 = PIN_A0 + 15;
#define A15 A15
#endif

#undef HOCKET_ANALOG_PIN_

// An input behind the last digital pin is an analog input only (A6 and A7 of an ATmega328P).
#define analogInputToDigitalPin(n) \
  ((n) < NUM_ANALOG_INPUTS && (n) + PIN_A0 < NUM_DIGITAL_PINS ? (n) + PIN_A0 : -1)
