// The Arduino language from C: Arduino.h compiles, and its C functions and macros work.
#include <Arduino.h>

_Static_assert(B00000101 == 5, "binary constants");
_Static_assert(lowByte(0x1234) == 0x34 && highByte(0x1234) == 0x12, "bytes");
_Static_assert(bit(3) == 8 && _BV(3) == 8, "bits");
_Static_assert(min(2, 3) == 2 && max(2, 3) == 3 && constrain(7, 0, 5) == 5, "limits");

/// Uses each C function once; the test counts what arrived at the system.
long c_language_works(void) {
  char text[40];
  pinMode(LED_BUILTIN, OUTPUT);
  digitalWrite(LED_BUILTIN, HIGH);
  delay(1);
  delayMicroseconds(2);
  return digitalRead(3) + analogRead(A0) + (long)strlen(itoa(1234, text, 10)) + sq(3);
}
