// Floating point to text, as in avr-libc.
//
// `precision` digits after the point, rounded to nearest; at least `width` characters, filled with
// blanks on the left (on the right when `width` is negative). Returns `text`.
#pragma once

#ifdef __AVR__
#include <stdlib.h>
#else

#ifdef __cplusplus
extern "C" {
#endif

char* dtostrf(double value, signed char width, unsigned char precision, char* text);

#ifdef __cplusplus
}
#endif

#endif
