// Stands in for the file of this name in the library FastLED, which is an error on processors that
// the library does not know (tools/hocket/stand_ins.py). This one needs nothing of a processor.
#pragma once

#if !__has_include("fl/system/fastpin_base.h")
#error \
    "this version of FastLED is older than 3.10.4, whose parts have other names: take a newer one, or build for the uno"
#endif

#include "fastled_config.h"
#include "fl/stl/stdint.h"
#include "fl/system/arduino.h"

// The emulated port registers (arduino/api/port_registers.cpp).
typedef volatile uint8_t RoReg;
typedef volatile uint8_t RwReg;

#define FASTLED_USE_PROGMEM 0
#define FASTLED_HAS_MILLIS 1
#define FASTLED_ALLOW_INTERRUPTS 1
#define INTERRUPT_THRESHOLD 1
#define CLKS_PER_US (F_CPU / 1000000)
