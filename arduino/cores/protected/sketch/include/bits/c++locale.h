// The only locale of a board, "C", in the form that the C++ library's stream headers need. There
// are no streams (docs/reference/c-library.md), but <iterator>, <memory> and others include this
// header.
#pragma once

#include <clocale>
#include <cstdarg>
#include <cstdio>

#define _GLIBCXX_NUM_CATEGORIES 0

namespace std {

typedef int* __c_locale;

/// Converts a number to text.
inline int __convert_from_v(const __c_locale&, char* text, int size, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int length = vsnprintf(text, static_cast<size_t>(size), format, values);
  va_end(values);
  return length;
}

}  // namespace std
