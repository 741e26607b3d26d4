// Bit names of avr/io.h for processors that have no AVR registers; the chip's own header on AVR.
#pragma once

#ifdef __AVR__
#include_next <avr/io.h>
#else

#ifndef _BV
#define _BV(bit) (1 << (bit))
#endif
#define bit_is_set(value, bit) ((value) & _BV(bit))
#define bit_is_clear(value, bit) (!((value) & _BV(bit)))
#define loop_until_bit_is_set(value, bit) \
  do {                                    \
  } while (bit_is_clear(value, bit))
#define loop_until_bit_is_clear(value, bit) \
  do {                                      \
  } while (bit_is_set(value, bit))

#ifdef __cplusplus
#include "../../api/status_register.h"
#endif

#endif
