// avr-libc's delay loops by their times at 16 MHz; its own header on AVR.
#pragma once

#ifdef __AVR__
#include_next <util/delay_basic.h>
#else

#include <stdint.h>

#include "delay.h"

/// Three cycles each, 256 times for 0.
static inline void _delay_loop_1(uint8_t count) {
  _delay_us((count == 0 ? 256 : count) * 3 / 16.0);
}
/// Four cycles each, 65,536 times for 0.
static inline void _delay_loop_2(uint16_t count) {
  _delay_us((count == 0 ? 65536 : count) * 4 / 16.0);
}

#endif
