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

#include "api/Language.h"
#include "api/Round.h"
#include "avr/eeprom.h"
#include "avr/interrupt.h"
#include "avr/io.h"
#include "pins_arduino.h"

// In unoptimised builds, as for a debugger, avr-libc's header warns that its delays are too long.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcpp"
#include "util/delay.h"
#pragma GCC diagnostic pop

// Every Arduino core's header has these types. The third is omitted where a `long` has 64 bits,
// because sketches define it there as either type.
typedef unsigned char u8;
typedef unsigned short u16;
#if __SIZEOF_LONG__ == 4
typedef unsigned long u32;
#endif
