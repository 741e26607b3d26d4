// Integers to text: itoa, ltoa, utoa, ultoa as in avr-libc, and the long long forms.
//
// Lower-case digits; base 2 to 36, any other gives an empty text; a sign in base 10 only. A
// negative `long` that fits 32 bits gives their two's complement, as on Arduino, where long has 32.
// `text` needs room for the digits, a sign and the '\0'. Returns `text`.
#pragma once

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __AVR__
char* itoa(int value, char* text, int base);
char* ltoa(long value, char* text, int base);
char* utoa(unsigned int value, char* text, int base);
char* ultoa(unsigned long value, char* text, int base);
#endif
char* lltoa(long long value, char* text, int base);
char* ulltoa(unsigned long long value, char* text, int base);

#ifdef __cplusplus
}
#endif
