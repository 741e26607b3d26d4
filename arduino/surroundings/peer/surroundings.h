// The surroundings of a board in an emulator with a peer (simulation/peer). The peer simulates
// pins, serial ports and parts, decides when the run ends, and receives the report.
//
// The alternative, which documents each function, is native/surroundings.h.
#pragma once

#include "arduino/cores/protected/kernel/faults.h"
#include "arduino/cores/protected/kernel/run.h"
#include "arduino/surroundings/peer/world.h"

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
/// Does nothing: the report contains the fault.
inline void tell(const faults::Record&) {}

[[noreturn]] void finish(run::End why, unsigned cores);
[[noreturn]] void unusable(const char* why);
[[noreturn]] void answer(bool accepted, unsigned cores);

/// The peer asks for a look at this instant (ns). Any context without locks.
void look_at(uint64_t instant);

}  // namespace hocket::surroundings
