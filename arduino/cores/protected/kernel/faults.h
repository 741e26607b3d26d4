// What happens when a loop faults.
//
// The fault is recorded. Then the sketch's policy (HOCKET_ON_FAULT) decides: only the loop stops,
// and the others keep their guarantees; or the run ends; or the sketch is restarted with its
// initial memory. Records survive a restart.
#pragma once

#include "kernel/base/types.h"

namespace hocket::faults {

inline constexpr uint64_t kUnknown = UINT64_MAX;

struct Record {
  int32_t loop;      // -1: setup(), or a direct handler
  int32_t pin;       // the pin of the direct handler; -1: none
  bool restart;      // the fault caused a restart of the sketch
  uint64_t address;  // or kUnknown
  uint64_t code;     // the sketch's instruction, or kUnknown
  char kind[24];     // ends with a 0 unless all are used
  char text[120];
};

/// Stops the calling thread, in a call of the sketch or in its place. Call unmasked with no lock
/// held: reporting may wait for a lock, and is charged to the loop. `code`: the sketch's
/// instruction. `text` (may be null) is copied.
[[noreturn]] void stop(const char* kind, uint64_t address, uint64_t code, const char* text,
                       size_t text_length);

/// The same for an illegal call of the sketch; `code` as above.
[[noreturn]] void stop_caller(const char* text, uint64_t code);

/// The same for the processor's exceptions of the sketch; `text` ends with a 0. They run on the
/// thread's kernel stack, unmasked as in a call, and are charged to the loop.
[[noreturn]] void stop_at(const char* kind, uint64_t address, uint64_t code, const char* text);
/// A load or a store that the sketch may not make: its stack has overflowed, or a bad access.
[[noreturn]] void stop_access(uint64_t address, uint64_t code);
/// It tried to execute what is no code. `link`: the return address of its last call, where control
/// may have left its code; any value.
[[noreturn]] void stop_jump(uint64_t address, uint64_t code, uint64_t link);

/// A direct handler ended abnormally. Records it and acts as the sketch's policy says. In the
/// interrupt, masked.
void tell_of_direct(const char* text);

unsigned count();
const Record& record(unsigned index);
/// How often the sketch was restarted.
unsigned restarts();

}  // namespace hocket::faults
