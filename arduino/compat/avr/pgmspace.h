// Program memory: the processor's own header where it has one, else ordinary memory.
#pragma once

#ifdef __AVR__
#include_next <avr/pgmspace.h>
#ifdef __clang__
// Clang knows no attribute for it; the section alone puts a constant into program memory.
#undef PROGMEM
#define PROGMEM __attribute__((section(".progmem.data")))
#endif
#else
#include "../../api/deprecated-avr-comp/avr/pgmspace.h"
#endif
