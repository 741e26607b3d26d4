// The end of an image without a sketch, and its text: the host's console (semihosting).
#pragma once

#include "board.h"
#include "drivers/semihosting/cortex_m.h"

namespace hocket::bare {

inline void print(const char* text) {
  drivers::Semihosting::print(text);
}
/// The image's exit status; the emulator ends.
[[noreturn]] inline void exit(unsigned status) {
  for (;;) drivers::Semihosting::exit(status);
}

}  // namespace hocket::bare

inline void hocket::machine::Board::halt(const char* reason) {
  bare::print("FAIL: ");
  bare::print(reason);
  bare::print("\n");
  bare::exit(70);
}

/// Once in an image.
#define HOCKET_BARE_DEFECTS                                                      \
  extern "C" void hocket_stack_overflow() {                                      \
    hocket::machine::Board::halt("a stack has overflowed");                      \
  }                                                                              \
  /* A failed invariant of the kernel (HOCKET_CHECKED). */                       \
  extern "C" void hocket_check_failed(const char* what, const char*, unsigned) { \
    hocket::machine::Board::halt(what);                                          \
  }
