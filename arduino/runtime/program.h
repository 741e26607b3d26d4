// Where a sketch's code is, as the runtime sees it: linked with the kernel (linked_program.cpp), or
// a program of its own in a protection domain, which the kernel enters at a lower exception level
// (arduino/cores/aarch64/kernel/domain.h).
#pragma once

#include "arduino/runtime/loops.h"

namespace hocket::runtime {

class Sketch;
struct Loop;

/// Filled in by who loads it: until then it is all zeros, which no image carries.
struct Program {
  /// The table of declared loops (loops.h); empty when there is none.
  const LoopDescriptor* const* loops_begin = nullptr;
  const LoopDescriptor* const* loops_end = nullptr;
  /// The body of the plain loop(), null when the sketch has none.
  void (*plain_loop)() = nullptr;
  /// It has the calls of spinlocks in it, so its loops may delay each other.
  bool uses_spinlocks = false;
  /// It has the calls of noInterrupts() in it, so its loops may delay its handlers.
  bool holds_handlers = false;
  /// The longest section between noInterrupts() and interrupts(), as declared; 0: it is not.
  uint64_t longest_section_ns = 0;

  /// Runs the constructors of globals and setup() on the calling thread, then calls the sketch's
  /// end_setup(). Returns, or does not.
  void (*enter_setup)(Sketch&) = nullptr;
  /// Runs the loop's body again and again on the calling thread, end_iteration() after each; never
  /// returns.
  void (*enter_loop)(Loop&) = nullptr;
};

/// That of the sketch that is linked with the kernel and runs at its level.
Program linked_program();

}  // namespace hocket::runtime
