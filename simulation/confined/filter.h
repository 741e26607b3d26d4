// Filters of system calls, as the kernel's small programs (seccomp(2), «SECCOMP_SET_MODE_FILTER»).
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace hocket::confined {

using Filter = std::vector<sock_filter>;

/// For the whole life of a program: calls.h. `process` is its number: it may signal itself.
Filter filter_of_program(int process);

/// For the time after the start: those of later_attempts() are SIGSYS, unless the instruction that
/// calls lies at `site`, which is the program's own for its last files; all else is as before.
Filter filter_of_running(std::uintptr_t site);

/// From now on it holds for this process and what it becomes; false: the computer has no such
/// filters. The process must have given up new privileges (prctl(2), PR_SET_NO_NEW_PRIVS).
bool apply(const Filter& filter);

}  // namespace hocket::confined
