// For a board without pins of its own.
#pragma once

#include "arduino/runtime/system.h"

namespace hocket::native {

struct NoPins {
  static constexpr unsigned kCount = 0;
  static void init() {}
  static bool mode(unsigned, sys::PinMode) { return false; }
  static bool write(unsigned, bool) { return false; }
  static int read(unsigned) { return 0; }
};

}  // namespace hocket::native
