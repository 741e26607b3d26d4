// parity_even_bit() as in avr-libc: 1 when an odd number of bits is set; its own header on AVR.
#pragma once

#ifdef __AVR__
#include_next <util/parity.h>
#else
#define parity_even_bit(value) (__builtin_parity((unsigned char)(value)))
#endif
