// What happens when a loop does something that it cannot go on from.
//
// The fault is recorded, then the sketch's policy decides (HOCKET_ON_FAULT): only the loop stops,
// and the others keep their guarantees; or the run ends; or the whole sketch begins anew, its
// memory as it was at first. Records outlive a restart.
#pragma once

#include "kernel/base/types.h"

namespace hocket::faults {

inline constexpr uint64_t kUnknown = UINT64_MAX;

struct Record {
  int32_t loop;      // -1: setup(), or a direct handler
  int32_t pin;       // whose direct handler it was; -1: of none
  bool restart;      // the sketch was restarted after it
  uint64_t address;  // or kUnknown
  uint64_t code;     // sketch's instruction, or kUnknown
  char kind[24];     // ends with a 0 unless all are used
  char text[120];
};

/// Stops the calling thread, in a call of the sketch or in its place. Unmasked, no lock held: what
/// is told may wait for a lock, and is paid for by the loop. `code` is the sketch's instruction,
/// `text` (null: none) is copied.
[[noreturn]] void stop(const char* kind, uint64_t address, uint64_t code, const char* text,
                       size_t text_length);

/// The same for a call that the sketch must not make so; `code` as above.
[[noreturn]] void stop_caller(const char* text, uint64_t code);

/// A direct handler has returned, but not as it should: recorded, and acted on as its policy says.
/// In the interrupt, masked.
void tell_of_direct(const char* text);

unsigned count();
const Record& record(unsigned index);
/// How often the sketch was restarted.
unsigned restarts();

}  // namespace hocket::faults
