// Functions that end a program elsewhere: here they stop the loop, with the reason and the place.
//
// They replace the C library's functions of the same names, which end in a signal or in a call to a
// system that does not exist.
#include "arduino/cores/protected/sketch/text.h"
#include "arduino/runtime/system.h"

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

/// A failed assert(). The text is on the stack; the kernel copies it.
[[noreturn]] void __assert_func(const char* file, int line, const char*, const char* expression) {
  hocket::sketch::Text text;
  text << "assert(" << expression << ") in " << file << ":" << static_cast<uint64_t>(line);
  HOCKET_STOP_(text.get());
}
[[noreturn]] void __assert_no_args() {
  HOCKET_STOP_("an assert() did not hold");
}
}
