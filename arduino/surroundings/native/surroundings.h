// The surroundings of a board by itself: real hardware, or an emulator started by hand. It uses its
// own pins and UART, and runs until it is switched off.
//
// The alternative is peer/surroundings.h. An image is built with one of the two, so nothing is
// decided at run time.
#pragma once

#include "arduino/cores/protected/kernel/faults.h"
#include "arduino/cores/protected/kernel/run.h"
#include "arduino/runtime/sketches.h"
#include "arduino/surroundings/native/native.h"

namespace hocket::surroundings {

/// On core 0, at boot, with interrupts set up. Returns null, or what is wrong.
inline const char* open() {
  native::init();
  return nullptr;
}

/// cores_wanted(): how many cores the run uses. The next function: whether the run ends after
/// admission.
inline unsigned cores_wanted() {
  return Board::Port::kCores;
}
inline bool check_only() {
  return false;
}
/// The seed of the sketch's random numbers.
inline uint64_t seed() {
  return 0;
}

/// start(): core 0 is about to run its first thread. The next function: another core has
/// interrupted this one.
inline void start() {}
inline void on_reschedule() {}

/// A fault was recorded. Context: threads, unmasked; no lock held.
inline void tell(const faults::Record& fault) {
  native::tell_fault(fault);
}

/// The end of a run, of a sketch that cannot run, or of admission. Nothing else runs.
[[noreturn]] inline void finish(run::End, unsigned) {
  native::flush();
  Board::Port::halt("every loop of the sketch has stopped");
}
[[noreturn]] inline void unusable(const char* why) {
  Board::Port::halt(why);
}
[[noreturn]] inline void answer(bool, unsigned) {
  const runtime::Sketches& all = runtime::sketches();
  for (unsigned i = 0; i < all.reason_count(); ++i) native::last_words(all.reason(i));
  Board::Port::halt("the loops cannot be guaranteed on this board");
}

}  // namespace hocket::surroundings
