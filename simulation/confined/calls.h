// The system calls that a confined program may make, and those for which it is stopped.
//
// A sketch on the board sim is a program of the host computer, and users run sketches that they
// download (docs/guide/strangers.md). The launcher (main.cpp) installs a filter of system calls
// before the program's first instruction. Once the board runs, the program itself forbids what only
// its start needs (simulation/machine/attempts.cpp). There are three kinds of calls:
//
//   allowed    what the simulator and the C library need: memory, open files, time, signals
//   attempts   SIGSYS: what no simulator needs. The sketch must have made the call, and the report
//              names it. Some calls are attempts only with certain arguments (filter.cpp).
//   the rest   fails with ENOSYS, as on an older kernel; C libraries can handle that
//
// Numbers and conventions: seccomp(2), syscalls(2).
#pragma once

#include <span>

namespace hocket::confined {

/// A system call by its number, with the words that describe the attempt.
struct Attempt {
  int number;
  const char* name;
  const char* deed;
  int file = -1;  // which argument names a file; only in later_attempts()
};

constexpr bool is_later(const Attempt& attempt) {
  return attempt.file >= 0;
}

std::span<const int> allowed_calls();

/// Calls that are never needed, from the first instruction on.
std::span<const Attempt> attempts();

/// Calls that are needed only while the program starts and ends: to open files and to start a
/// program.
std::span<const Attempt> later_attempts();

/// The attempt with this number in either list; nullptr: none.
const Attempt* attempt_of(int number);

/// Set in the environment of a program that the launcher has started.
inline constexpr const char* kMark = "HOCKET_CONFINED";

}  // namespace hocket::confined
