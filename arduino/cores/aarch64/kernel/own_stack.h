// Where the sketch's code that the core runs just now has its stack.
#pragma once

#include "arduino/runtime/sketches.h"
#include "board_kernel.h"
#include "surroundings.h"

namespace hocket {

/// A loop's (or setup()'s), or that of direct handlers.
inline const port::Stack& own_stack() {
  if (direct::runs()) return runtime::current_sketch().direct_stack();
  const runtime::Loop* const self = runtime::current();
  HOCKET_CHECK(self != nullptr);
  return self->stack;
}

}  // namespace hocket
