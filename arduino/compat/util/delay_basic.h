// avr-libc's delay loops, with their times at 16 MHz. On AVR this is avr-libc's header.
#pragma once

#ifdef __AVR__
#include_next <util/delay_basic.h>
#else

#include <stdint.h>

#include "delay.h"

/// Three cycles for each count; 0 means 256.
static inline void _delay_loop_1(uint8_t count) {
  _delay_us((count == 0 ? 256 : count) * 3 / 16.0);
}
/// Four cycles for each count; 0 means 65,536.
static inline void _delay_loop_2(uint16_t count) {
  _delay_us((count == 0 ? 65536 : count) * 4 / 16.0);
}

#endif
