// Builds a short text without printf(), for the reason of a fault. What does not fit is dropped.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

namespace hocket::sketch {

class Text {
 public:
  Text& operator<<(const char* part) {
    while (*part != '\0') add(*part++);
    return *this;
  }
  Text& operator<<(uint64_t number) {
    char digits[21];
    char* first = digits + sizeof digits - 1;
    *first = '\0';
    do {
      *--first = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    return *this << first;
  }
  /// Fills in %s and %zu, as the C++ library uses them; %% is a per cent sign.
  Text& fill(const char* form, va_list values) {
    for (; *form != '\0'; ++form) {
      if (*form != '%') {
        add(*form);
      } else if (form[1] == 's') {
        *this << va_arg(values, const char*);
        ++form;
      } else if (form[1] == 'z' && form[2] == 'u') {
        *this << uint64_t{va_arg(values, size_t)};
        form += 2;
      } else {
        add('%');
        if (form[1] == '%') ++form;
      }
    }
    return *this;
  }
  const char* get() const { return text_; }

 private:
  void add(char c) {
    if (used_ + 1 < sizeof text_) text_[used_++] = c;
  }

  char text_[120] = {};
  unsigned used_ = 0;
};

}  // namespace hocket::sketch
