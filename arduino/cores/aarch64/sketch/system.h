// System calls that a sketch's entry code makes, beside those of arduino/runtime/system.h.
#pragma once

namespace hocket::sys {

/// The body of the calling loop has returned once. A periodic loop waits here for its next release.
/// What the sketch wants to be called before the next call of the body (onOverrun()); null:
/// nothing.
using OverrunHandler = void (*)();
OverrunHandler end_iteration();
/// setup() has returned: its thread ends and the loops are released.
[[noreturn]] void end_setup();
/// The calling loop was let go on because it held spinlocks (lock_record.h), and holds none now.
void lock_given_back();

}  // namespace hocket::sys
