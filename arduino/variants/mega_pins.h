// The pins of an Arduino Mega by their names: those of every board so far.
#pragma once

#include <stdint.h>

#define NUM_DIGITAL_PINS 70
#define NUM_ANALOG_INPUTS 16
#define LED_BUILTIN 13

#define PIN_A0 54
#ifdef __cplusplus
#define HOCKET_PIN_CONSTANT_ constexpr
#else
#define HOCKET_PIN_CONSTANT_ static const
#endif
HOCKET_PIN_CONSTANT_ uint8_t A0 = PIN_A0;
HOCKET_PIN_CONSTANT_ uint8_t A1 = PIN_A0 + 1;
HOCKET_PIN_CONSTANT_ uint8_t A2 = PIN_A0 + 2;
HOCKET_PIN_CONSTANT_ uint8_t A3 = PIN_A0 + 3;
HOCKET_PIN_CONSTANT_ uint8_t A4 = PIN_A0 + 4;
HOCKET_PIN_CONSTANT_ uint8_t A5 = PIN_A0 + 5;
HOCKET_PIN_CONSTANT_ uint8_t A6 = PIN_A0 + 6;
HOCKET_PIN_CONSTANT_ uint8_t A7 = PIN_A0 + 7;
HOCKET_PIN_CONSTANT_ uint8_t A8 = PIN_A0 + 8;
HOCKET_PIN_CONSTANT_ uint8_t A9 = PIN_A0 + 9;
HOCKET_PIN_CONSTANT_ uint8_t A10 = PIN_A0 + 10;
HOCKET_PIN_CONSTANT_ uint8_t A11 = PIN_A0 + 11;
HOCKET_PIN_CONSTANT_ uint8_t A12 = PIN_A0 + 12;
HOCKET_PIN_CONSTANT_ uint8_t A13 = PIN_A0 + 13;
HOCKET_PIN_CONSTANT_ uint8_t A14 = PIN_A0 + 14;
HOCKET_PIN_CONSTANT_ uint8_t A15 = PIN_A0 + 15;
// Libraries ask with #ifdef which inputs there are.
#define A0 A0
#define A1 A1
#define A2 A2
#define A3 A3
#define A4 A4
#define A5 A5
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
#undef HOCKET_PIN_CONSTANT_

#define analogInputToDigitalPin(n) ((n) < NUM_ANALOG_INPUTS ? (n) + PIN_A0 : -1)
#define digitalPinHasPWM(pin) (((pin) >= 2 && (pin) <= 13) || ((pin) >= 44 && (pin) <= 46))
#define digitalPinToInterrupt(pin) ((pin) < NUM_DIGITAL_PINS ? (pin) : NOT_AN_INTERRUPT)

#define SERIAL_PORT_MONITOR Serial
#define SERIAL_PORT_HARDWARE Serial
#define SERIAL_PORT_HARDWARE1 Serial1
#define SERIAL_PORT_HARDWARE_OPEN Serial1
