// System calls of a sketch's entry code, besides those of arduino/runtime/system.h.
#pragma once

#include <stdint.h>

namespace hocket::sys {

/// The body of the calling loop has returned. A periodic loop waits here for its next release.
/// Returns the function to call before the next call of the body (onOverrun()); null: none.
using OverrunHandler = void (*)();
OverrunHandler end_iteration();
/// setup() has returned: its thread ends, and the loops are released.
[[noreturn]] void end_setup();
/// The calling loop went on because of its spinlocks (lock_record.h), and now holds none.
void lock_given_back();
/// A call for so many bytes of memory returns a null pointer. `frame`: the address of the stack
/// frame of the function that says so.
void note_no_room(uint64_t bytes, uint64_t frame);

}  // namespace hocket::sys
