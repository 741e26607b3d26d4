// The stack of the sketch code that runs on this core now.
#pragma once

#include "arduino/runtime/sketches.h"
#include "board_kernel.h"
#include "surroundings.h"

namespace hocket {

/// A loop's or setup()'s stack, or that of direct handlers.
inline const port::Stack& own_stack() {
  if (direct::runs()) return runtime::current_sketch().direct_stack();
  const runtime::Loop* const self = runtime::current();
  HOCKET_CHECK(self != nullptr);
  return self->stack;
}

}  // namespace hocket
