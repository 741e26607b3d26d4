// A sketch's code as the runtime sees it. It is either linked with the kernel (linked_program.cpp)
// or a separate program in a protection domain, which the kernel enters at a lower exception level
// (arduino/cores/protected/kernel/domain.h).
#pragma once

#include "arduino/runtime/loops.h"

namespace hocket::runtime {

class Sketch;
struct Loop;

/// Filled in by the loader. All zeros before, so that no image has to carry it.
struct Program {
  /// The table of declared loops (loops.h); empty when there is none.
  const LoopDescriptor* const* loops_begin = nullptr;
  const LoopDescriptor* const* loops_end = nullptr;
  /// The body of the plain loop(); null: the sketch has none.
  void (*plain_loop)() = nullptr;
  /// The sketch contains calls of spinlocks, so its loops may delay each other.
  bool uses_spinlocks = false;
  /// The sketch contains calls of noInterrupts(), so its loops may delay its handlers.
  bool holds_handlers = false;
  /// The declared longest section (ns) between noInterrupts() and interrupts(); 0: not declared.
  uint64_t longest_section_ns = 0;

  /// Runs the constructors of globals and setup() on the calling thread, then calls the sketch's
  /// end_setup(). May return or not.
  void (*enter_setup)(Sketch&) = nullptr;
  /// Runs the loop's body for ever on the calling thread, and calls end_iteration() after each run.
  /// Never returns.
  void (*enter_loop)(Loop&) = nullptr;
};

/// The program that is linked with the kernel and runs at its privilege level.
Program linked_program();

}  // namespace hocket::runtime
