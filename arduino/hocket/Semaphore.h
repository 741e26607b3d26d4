// Semaphore: a count that loops take from, and wait for when it is 0.
//
//   Semaphore pulses(0);
//   pulses.p();      waits until there is one, takes it      (also acquire())
//   pulses.v();      gives one                               (also release())
//
// Who came first is served first. Loops on any cores, and setup(). Where there is one to take, or
// nobody waits, the count changes in the sketch's own memory and the system is not asked. Who
// waits, it knows: there is no limit and no heap, and a semaphore may be destroyed as soon as its
// p() has returned.
//
//   count_ ≥ 0: so many, nobody waits        count_ < 0: somebody waits, it is the system's to
//   change
//
// (The semaphore of "Temporal Event Management in EPOS", section 2.)
#pragma once

#include "arduino/runtime/system.h"
#include "hocket/Microsecond.h"
#include "kernel/base/atomic.h"

namespace hocket {

/// Adds `by`, 1 or -1, to a count that is not below 0 and stays so; false, and nothing is changed,
/// where it is or would be. Without atomic instructions always false: the system does it.
template <class Count>
bool change_count(Count& count, int by);

}  // namespace hocket

class Semaphore {
 public:
  /// Below 0 counts as 0.
  explicit constexpr Semaphore(int count = 1) : count_(count > 0 ? count : 0) {}
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  /// Takes one; blocks the loop until there is one.
  void p() {
    if (!change(-1)) hocket::sys::semaphore_take(&count_);
  }
  /// As p(), but waits no longer than this: false when there was none. p(0) never waits.
  bool p(Microsecond at_most) {
    return change(-1) || hocket::sys::semaphore_take(
                             &count_, hocket::services::later(hocket::sys::now_ns(), at_most));
  }
  /// Gives one: to whoever waits longest, if somebody does. Never blocks. What is more than an int
  /// holds is lost.
  void v() {
    if (!change(1)) hocket::sys::semaphore_give(&count_);
  }

  void acquire() { p(); }
  bool acquire(Microsecond at_most) { return p(at_most); }
  void release() { v(); }

 private:
  /// Without the system's help: `by` is 1 or -1. False: it cannot be, there is none or somebody
  /// waits.
  bool change(int by) { return hocket::change_count(count_, by); }

  int count_;
};

#if __has_include("board_sync.h")
#include "board_sync.h"  // in the board's own instructions
#else
template <class Count>
inline bool hocket::change_count(Count& count, int by) {
  if constexpr (!kHasAtomicInstructions<Count>) {
    return false;
  } else {
    Count seen = atomic_load(count, order::relaxed);
    for (;;) {
      // Unsigned: one more than the highest is below 0.
      const auto wanted =
          static_cast<Count>(static_cast<unsigned>(seen) + static_cast<unsigned>(by));
      if ((by < 0 ? seen : wanted) < 1) return false;
      if (__atomic_compare_exchange_n(&count, &seen, wanted, /*weak=*/true, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED)) {
        return true;
      }
    }
  }
}
#endif
