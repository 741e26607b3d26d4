// parity_even_bit() as in avr-libc: 1 if an odd number of bits is set. On AVR avr-libc's header.
#pragma once

#ifdef __AVR__
#include_next <util/parity.h>
#else
#define parity_even_bit(value) (__builtin_parity((unsigned char)(value)))
#endif
