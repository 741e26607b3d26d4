// A board by itself: real hardware, or an emulator started by hand. Its pins and its UART are its
// own; it runs until it is switched off.
//
// The other choice is peer/surroundings.h. An image is built with one of the two, so no call asks
// which it is.
#pragma once

#include "arduino/cores/aarch64/kernel/faults.h"
#include "arduino/cores/aarch64/kernel/native/native.h"
#include "arduino/cores/aarch64/kernel/run.h"
#include "arduino/runtime/sketches.h"

namespace hocket::surroundings {

/// Core 0, at boot, its interrupts set up. Null, or what is wrong.
inline const char* open() {
  native::init();
  return nullptr;
}

/// How many cores the run uses, and whether it is over when admission has answered.
inline unsigned cores_wanted() {
  return Board::Port::kCores;
}
inline bool check_only() {
  return false;
}
/// Of the sketch's random numbers.
inline uint64_t seed() {
  return 0;
}

/// Core 0 is about to run its first thread. And: another core has interrupted this one.
inline void start() {}
inline void on_reschedule() {}

/// A fault has been recorded. Threads, unmasked; no lock held.
inline void tell(const faults::Record& fault) {
  native::tell_fault(fault);
}

/// The end, with nothing else running: of a run, of a sketch that cannot run, of admission.
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
