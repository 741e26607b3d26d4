// The record of calls that found no memory (no_room.h).
#include "arduino/runtime/no_room.h"

#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/sketches.h"
#include "kernel/base/atomic.h"

namespace hocket::runtime {
namespace {

NoRoom first;
Atomic<uint64_t> times;

int asker() {
  if (interrupts::direct_handler_runs()) return NoRoom::kDirect;
  const Loop* const self = current_loop();
  return self == nullptr ? NoRoom::kSetup : static_cast<int>(self->descriptor->id);
}

}  // namespace

[[gnu::cold]] void note_no_room(uint64_t bytes, const uint64_t* codes, unsigned code_count) {
  if (times.fetch_add(1, order::relaxed) != 0) return;
  first.loop = asker();
  first.bytes = bytes;
  first.code_count = smaller(code_count, NoRoom::kMostCodes);
  for (unsigned i = 0; i < first.code_count; ++i) first.codes[i] = codes[i];
}

uint64_t no_room_times() {
  return times.load(order::acquire);
}
const NoRoom& no_room() {
  return first;
}

}  // namespace hocket::runtime
