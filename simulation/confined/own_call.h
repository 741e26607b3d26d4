// System calls of the simulator itself in a program that is confined while it runs (calls.h): its
// last files are opened when the run is over, and a library may open one at any time.
#pragma once

#include <cstdint>

namespace hocket::confined {

struct SystemCall {
  long number;
  long arguments[6];
};

/// The address after the one instruction that may make later_attempts().
std::uintptr_t own_site();

/// Returns the result, or the negated error. Safe in a signal handler.
long call_ourselves(const SystemCall& call);

/// The text at an address from the sketch; nullptr: there is none.
const char* readable_text(long address);

}  // namespace hocket::confined
