// Integers to text. See itoa.h.
#include "arduino/api/itoa.h"

#include <stdint.h>

namespace {

template <typename Unsigned>
char* digits(Unsigned value, bool negative, char* text, int base) {
  char* out = text;
  if (base >= 2 && base <= 36) {
    do {
      const unsigned digit = static_cast<unsigned>(value % static_cast<unsigned>(base));
      *out++ = static_cast<char>(digit < 10 ? '0' + digit : 'a' + (digit - 10));
      value /= static_cast<unsigned>(base);
    } while (value != 0);
    if (negative) *out++ = '-';
  }
  *out = '\0';
  for (char* first = text; first < out; ++first) {  // reverse the digits, which were written last
                                                    // digit first
    const char swapped = *first;
    *first = *--out;
    *out = swapped;
  }
  return text;
}

}  // namespace

extern "C" {

#ifndef __AVR__
// Weak, so that a C library that has its own functions keeps them.
[[gnu::weak]] char* itoa(int value, char* text, int base) {
  return ltoa(value, text, base);
}
[[gnu::weak]] char* utoa(unsigned int value, char* text, int base) {
  return digits(value, false, text, base);
}
[[gnu::weak]] char* ltoa(long value, char* text, int base) {
  const bool negative = base == 10 && value < 0;
  unsigned long bits = static_cast<unsigned long>(value);
  if (negative) {
    bits = 0 - bits;
  } else if (value < 0 && static_cast<int32_t>(value) == value) {
    bits = static_cast<uint32_t>(value);
  }
  return digits(bits, negative, text, base);
}
[[gnu::weak]] char* ultoa(unsigned long value, char* text, int base) {
  return digits(value, false, text, base);
}
#endif

char* lltoa(long long value, char* text, int base) {
  const bool negative = base == 10 && value < 0;
  const unsigned long long bits = static_cast<unsigned long long>(value);
  return digits(negative ? 0 - bits : bits, negative, text, base);
}
char* ulltoa(unsigned long long value, char* text, int base) {
  return digits(value, false, text, base);
}

}  // extern "C"
