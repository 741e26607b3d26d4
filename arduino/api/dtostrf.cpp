// Floating point to text. See dtostrf.h.
#include "arduino/api/dtostrf.h"

#ifndef __AVR__
#include <math.h>
#include <stdio.h>

extern "C" char* dtostrf(double value, signed char width, unsigned char precision, char* text) {
  if (isnan(value)) value = fabs(value);  // the sign of "not a number" has no meaning
  sprintf(text, "%*.*f", width, precision,
          value);  // the caller provides a large enough buffer, as in avr-libc
  return text;
}
#endif
