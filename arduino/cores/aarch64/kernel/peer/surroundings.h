// A peer beside an emulator is around the board (simulation/peer): it simulates pins, serial ports
// and parts, says when the run ends, and is told what the report needs.
//
// The other choice, with what each function is for, is native/surroundings.h.
#pragma once

#include "arduino/cores/aarch64/kernel/faults.h"
#include "arduino/cores/aarch64/kernel/peer/world.h"
#include "arduino/cores/aarch64/kernel/run.h"

namespace hocket::surroundings {

const char* open();
inline unsigned cores_wanted() {
  return world::settings().cores;
}
inline bool check_only() {
  return world::settings().check_only != 0;
}
inline uint64_t seed() {
  return world::settings().seed;
}

void start();
void on_reschedule();
/// The report has it.
inline void tell(const faults::Record&) {}

[[noreturn]] void finish(run::End why, unsigned cores);
[[noreturn]] void unusable(const char* why);
[[noreturn]] void answer(bool accepted, unsigned cores);

/// The peer wants to be asked at this instant (ns). Any context without locks.
void look_at(uint64_t instant);

}  // namespace hocket::surroundings
