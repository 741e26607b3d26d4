// What an Arduino's C library (avr-libc) has in <string.h> and <stdlib.h>, and the one that this
// board has may not have. A sketch's own function of such a name comes before.
#pragma once

#ifndef __AVR__
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GLIBC__
#if !__GLIBC_PREREQ(2, 38)
/// Copies (appends) what fits into `size` bytes, always with an end; the length that was wanted.
size_t strlcpy(char* to, const char* from, size_t size);
size_t strlcat(char* to, const char* from, size_t size);
#endif
/// The text itself, in small or capital letters (of ASCII).
char* strlwr(char* text);
char* strupr(char* text);
#endif
/// The text itself, backwards.
char* strrev(char* text);

/// `x` times `x`.
double square(double x);

/// As 1.25e+03, with 0 to 7 digits behind the point; at most 15 bytes. `flags`: those below.
char* dtostre(double value, char* text, unsigned char precision, unsigned char flags);
#define DTOSTR_ALWAYS_SIGN 0x01  // a blank in front of what is not negative
#define DTOSTR_PLUS_SIGN 0x02    // a plus
#define DTOSTR_UPPERCASE 0x04    // E, NAN, INF

#ifdef __cplusplus
}
#endif

#endif
