// What every Arduino sketch and library includes: the language and the board's pins.
#pragma once

#ifndef ARDUINO
#define ARDUINO 10819
#endif
#ifndef ARDUINO_ARCH_HOCKET
#define ARDUINO_ARCH_HOCKET
#endif

// clang-format off
#include "api/c_library.h"  // first: it hides names of headers that the others include
// clang-format on

#include "api/ArduinoAPI.h"
#include "api/Round.h"
#include "avr/interrupt.h"
#include "avr/io.h"
#include "pins_arduino.h"
