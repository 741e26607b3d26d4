// avr-libc's <math.h>, with in-line code that clang can compile.
//
// Two of its functions (avr-libc 2.0) are assembler with a float in registers, for which clang has
// no operand: where a sketch uses them, it does not compile. They are defined here instead; what
// clang calls by names that avr-libc has not is in float_names.S.
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

// A float here, as `double` is on AVR: bit 31 is the sign, bits 23 to 30 are the exponent.
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
