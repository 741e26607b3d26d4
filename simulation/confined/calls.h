// What a confined program may ask of the computer that it runs on, and what it is stopped for.
//
// A sketch on the board sim is a program of this computer, and people run what they download
// (docs/guide/strangers.md). The launcher (main.cpp) gives the program a filter of system calls
// before its first instruction; once the board runs, the program itself forbids what only its
// start needs (simulation/machine/attempts.cpp). Three kinds of calls:
//
//   allowed    what the simulator and the C library work with: memory, open files, time, signals
//   attempts   SIGSYS: what no simulator needs, so it is the sketch's doing, and is named; some
//              calls are attempts with certain arguments alone (filter.cpp)
//   the rest   fails with ENOSYS, as on an older kernel: C libraries know how to go on without
//
// Numbers and conventions: seccomp(2), syscalls(2).
#pragma once

#include <span>

namespace hocket::confined {

/// A system call by its number, with the words that say what the caller did.
struct Attempt {
  int number;
  const char* name;
  const char* deed;
  int file = -1;  // which argument names a file: of later_attempts() alone
};

constexpr bool is_later(const Attempt& attempt) {
  return attempt.file >= 0;
}

std::span<const int> allowed_calls();

/// Never needed, from the first instruction on.
std::span<const Attempt> attempts();

/// Needed while the program starts and when it ends, and by nobody in between: what opens files,
/// and what starts a program.
std::span<const Attempt> later_attempts();

/// One of either; nullptr: of none.
const Attempt* attempt_of(int number);

/// In the environment of a program that the launcher has started.
inline constexpr const char* kMark = "HOCKET_CONFINED";

}  // namespace hocket::confined
