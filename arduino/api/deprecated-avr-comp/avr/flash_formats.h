// printf_P() and its family, for processors where constants are in ordinary memory. In their
// formats %S is a text in flash, so here it is %s. (In C it is a text of wide characters.)
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/// Copies the format with each S conversion as s. `copy` has room for it.
static inline const char* hocket_plain_format_(char* copy, const char* format) {
  char* to = copy;
  while ((*to = *format++) != '\0') {
    if (*to++ != '%') continue;
    const size_t flags = strspn(format, "-+ #0123456789.*hlLqjzt");
    memcpy(to, format, flags);
    to += flags;
    format += flags;
    if (*format == '\0') continue;
    *to++ = *format == 'S' ? 's' : *format;
    ++format;
  }
  return copy;
}
#define HOCKET_PLAIN_FORMAT_(format) \
  hocket_plain_format_((char*)__builtin_alloca(strlen(format) + 1), format)

static inline int vprintf_P(const char* format, va_list values) {
  return vprintf(HOCKET_PLAIN_FORMAT_(format), values);
}
static inline int vsprintf_P(char* to, const char* format, va_list values) {
  return vsprintf(to, HOCKET_PLAIN_FORMAT_(format), values);
}
static inline int vsnprintf_P(char* to, size_t size, const char* format, va_list values) {
  return vsnprintf(to, size, HOCKET_PLAIN_FORMAT_(format), values);
}

#define HOCKET_FORMATS_(call) \
  va_list values;             \
  va_start(values, format);   \
  const int length = call;    \
  va_end(values);             \
  return length
static inline int printf_P(const char* format, ...) {
  HOCKET_FORMATS_(vprintf_P(format, values));
}
static inline int sprintf_P(char* to, const char* format, ...) {
  HOCKET_FORMATS_(vsprintf_P(to, format, values));
}
static inline int snprintf_P(char* to, size_t size, const char* format, ...) {
  HOCKET_FORMATS_(vsnprintf_P(to, size, format, values));
}
#undef HOCKET_FORMATS_

#pragma GCC diagnostic pop
#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

// Libraries ask for them with #ifdef.
#define printf_P printf_P
#define sprintf_P sprintf_P
#define snprintf_P snprintf_P
#define vsprintf_P vsprintf_P
#define vsnprintf_P vsnprintf_P
