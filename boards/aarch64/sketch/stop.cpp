// What ends a program elsewhere stops the loop here, with its reason and its place.
//
// In front of the C library's functions of the same names: those end in a signal, or in a call to a
// system that is not there.
#include <stdint.h>

#include "arduino/runtime/system.h"

namespace {

/// A short text made of parts; what does not fit is left out.
class Text {
 public:
  Text& operator<<(const char* part) {
    while (*part != '\0' && used_ + 1 < sizeof text_) text_[used_++] = *part++;
    text_[used_] = '\0';
    return *this;
  }
  Text& operator<<(unsigned number) {
    char digits[11];
    char* first = digits + sizeof digits - 1;
    *first = '\0';
    do {
      *--first = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    return *this << first;
  }
  const char* get() const { return text_; }

 private:
  char text_[120] = {};
  unsigned used_ = 0;
};

}  // namespace

#define HOCKET_STOP_(text) hocket::sys::fault(text, __builtin_return_address(0))

extern "C" {

[[noreturn]] void exit(int) {
  HOCKET_STOP_("called exit()");
}
[[noreturn]] void _exit(int) {
  HOCKET_STOP_("called exit()");
}
[[noreturn]] void _Exit(int) {
  HOCKET_STOP_("called exit()");
}
[[noreturn]] void abort() {
  HOCKET_STOP_("called abort()");
}
[[noreturn]] void __cxa_pure_virtual() {
  HOCKET_STOP_("called a virtual function that has no body");
}
[[noreturn]] void __stack_chk_fail() {
  HOCKET_STOP_("wrote beyond an array on the stack");
}

/// assert() that does not hold. The text is on the stack: the kernel copies it.
[[noreturn]] void __assert_func(const char* file, int line, const char*, const char* expression) {
  Text text;
  text << "assert(" << expression << ") in " << file << ":" << static_cast<unsigned>(line);
  HOCKET_STOP_(text.get());
}
[[noreturn]] void __assert_no_args() {
  HOCKET_STOP_("an assert() did not hold");
}
}
