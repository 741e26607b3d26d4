// Filters of system calls, as the kernel's small programs (seccomp(2), «SECCOMP_SET_MODE_FILTER»).
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace hocket::confined {

using Filter = std::vector<sock_filter>;

/// The filter for the whole life of a program: calls.h. `process` is its number; it may signal
/// itself.
Filter filter_of_program(int process);

/// The filter for the time after the start. Calls in later_attempts() raise SIGSYS, unless the
/// calling instruction is at `site`, from which the program opens its last files. All else as
/// before.
Filter filter_of_running(std::uintptr_t site);

/// Installs a filter for this process and its descendants. Returns false if the computer has no
/// such filters. The process must have set PR_SET_NO_NEW_PRIVS (prctl(2)).
bool apply(const Filter& filter);

}  // namespace hocket::confined
