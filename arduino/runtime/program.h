// Where a sketch's code is, as the runtime sees it: linked with the kernel (linked_program.cpp), or
// a program of its own that the kernel enters at a lower exception level
// (arduino/cores/aarch64/kernel).
#pragma once

#include "arduino/runtime/runtime.h"

namespace hocket::runtime::program {

/// The table of declared loops (loops.h); empty when there is none.
const LoopDescriptor* const* loops_begin();
const LoopDescriptor* const* loops_end();

/// The body of the plain loop(), null when the sketch has none.
void (*plain_loop())();

/// The sketch has the calls of spinlocks in it, so its loops may delay each other.
bool uses_spinlocks();

/// Runs the sketch's constructors of globals and setup() on the calling thread, then calls
/// end_setup(). Returns, or does not.
void enter_setup();

/// Runs the loop's body again and again on the calling thread, end_iteration() after each.
[[noreturn]] void enter_loop(Loop& loop);

}  // namespace hocket::runtime::program
