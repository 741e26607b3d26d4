// Functions that an Arduino's C library (avr-libc) has in <string.h> and <stdlib.h> and that the
// board's C library may lack. A sketch's own definition of such a name wins.
#pragma once

#ifndef __AVR__
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GLIBC__
#if !__GLIBC_PREREQ(2, 38)
/// Copies (appends) what fits into `size` bytes and always terminates it. Returns the length of the
/// untruncated result.
size_t strlcpy(char* to, const char* from, size_t size);
size_t strlcat(char* to, const char* from, size_t size);
#endif
/// Converts the text in place to lower or upper case (ASCII) and returns it.
char* strlwr(char* text);
char* strupr(char* text);
#endif
/// Reverses the text in place and returns it.
char* strrev(char* text);

/// `x` times `x`.
double square(double x);

/// Writes 1.25e+03 with 0 to 7 digits after the point; at most 15 bytes. `flags`: those below.
char* dtostre(double value, char* text, unsigned char precision, unsigned char flags);
#define DTOSTR_ALWAYS_SIGN 0x01  // a blank before a number that is not negative
#define DTOSTR_PLUS_SIGN 0x02    // a plus sign
#define DTOSTR_UPPERCASE 0x04    // E, NAN, INF in capital letters

#ifdef __cplusplus
}
#endif

#endif
