// Functions of an Arduino's C library: see avr_library.h. All are weak, so that a sketch's own
// definition wins.
#include "arduino/api/avr_library.h"

#ifndef __AVR__
#include <ctype.h>
#include <stdio.h>

#include <algorithm>

#define HOCKET_WEAK extern "C" [[gnu::weak]]

#ifdef __GLIBC__
#if !__GLIBC_PREREQ(2, 38)
HOCKET_WEAK size_t strlcpy(char* to, const char* from, size_t size) {
  const size_t length = strlen(from);
  if (size > 0) {
    const size_t copied = std::min(length, size - 1);
    memcpy(to, from, copied);
    to[copied] = '\0';
  }
  return length;
}

HOCKET_WEAK size_t strlcat(char* to, const char* from, size_t size) {
  const size_t length = strnlen(to, size);  // no end within `size`: nothing is appended
  const size_t room = size - length;
  const size_t wanted = strlen(from);
  if (room > 0) {
    const size_t copied = std::min(wanted, room - 1);
    memcpy(to + length, from, copied);
    to[length + copied] = '\0';
  }
  return length + wanted;
}
#endif

HOCKET_WEAK char* strlwr(char* text) {
  for (char* at = text; *at != '\0'; ++at) *at = static_cast<char>(tolower(*at & 0xff));
  return text;
}

HOCKET_WEAK char* strupr(char* text) {
  for (char* at = text; *at != '\0'; ++at) *at = static_cast<char>(toupper(*at & 0xff));
  return text;
}
#endif

HOCKET_WEAK double square(double x) {
  return x * x;
}

HOCKET_WEAK char* strrev(char* text) {
  std::reverse(text, text + strlen(text));
  return text;
}

HOCKET_WEAK char* dtostre(double value, char* text, unsigned char precision, unsigned char flags) {
  constexpr size_t kMost = 16;
  constexpr unsigned char kDigits = 7;
  const bool large = (flags & DTOSTR_UPPERCASE) != 0;
  const char* const format = (flags & DTOSTR_PLUS_SIGN) != 0     ? (large ? "%+.*E" : "%+.*e")
                             : (flags & DTOSTR_ALWAYS_SIGN) != 0 ? (large ? "% .*E" : "% .*e")
                                                                 : (large ? "%.*E" : "%.*e");
  snprintf(text, kMost, format, std::min(precision, kDigits), value);
  return text;
}
#endif
