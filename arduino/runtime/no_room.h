// Calls of malloc() and realloc() that found no memory, for the report. Sketches rarely check the
// result: a String keeps its old text, and nothing else shows that the rest is lost.
#pragma once

#include <stdint.h>

namespace hocket::runtime {

/// The first of these calls, and the number of all.
struct NoRoom {
  static constexpr unsigned kMostCodes = 12;
  /// Instead of a loop's number.
  static constexpr int kSetup = -1, kDirect = -2;

  int loop;
  unsigned code_count;
  uint64_t bytes;
  uint64_t codes[kMostCodes];  // instructions of the calls in progress, innermost first
};

/// By the caller of malloc(), in setup(), in a loop or in a direct handler; on any core.
void note_no_room(uint64_t bytes, const uint64_t* codes, unsigned code_count);

/// At the end of a run. 0: there were none, and no_room() means nothing.
uint64_t no_room_times();
const NoRoom& no_room();

}  // namespace hocket::runtime
