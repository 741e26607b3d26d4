// avr-libc's <math.h>, with inline code that clang can compile.
//
// Two of its functions (avr-libc 2.0) are assembler with a float operand, which clang does not
// support, so sketches that use them would not compile. They are defined here instead.
// float_names.S has the functions that clang calls by names unknown to avr-libc.
#pragma once

#ifndef __clang__
#include_next <math.h>
#else

#define copysign hocket_uncompilable_copysign_
#define isfinite hocket_uncompilable_isfinite_
#include_next <math.h>
#undef copysign
#undef copysignf
#undef isfinite
#undef isfinitef

#ifdef __cplusplus
extern "C" {
#endif

// A float, as `double` is on AVR: bit 31 is the sign, bits 23 to 30 are the exponent.
static inline double copysign(double magnitude, double sign) {
  return __builtin_copysignf(magnitude, sign);
}

static inline int isfinite(double x) {
  return (__builtin_bit_cast(unsigned long, x) >> 23 & 0xff) != 0xff;
}

#ifdef __cplusplus
}
#endif

#define copysignf copysign
#define isfinitef isfinite

#endif
