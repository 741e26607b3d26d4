// Semaphore: a count that loops take from. A loop blocks while the count is 0.
//
//   Semaphore pulses(0);
//   pulses.p();      waits until there is one, takes it      (also acquire())
//   pulses.v();      gives one                               (also release())
//
// Waiting loops are served in FIFO order. Context: loops on any cores, and setup(). If the count is
// above 0, or if no loop waits, the count changes in the sketch's own memory without a system call.
// The system keeps the list of waiting loops, so there is no limit and no heap, and a semaphore may
// be destroyed as soon as its p() has returned.
//
//   count_ ≥ 0: the count; no loop waits
//   count_ < 0: loops wait; only the system changes it
//
// (The semaphore of "Temporal Event Management in EPOS", section 2.)
#pragma once

#include "arduino/runtime/system.h"
#include "hocket/Microsecond.h"
#include "kernel/base/atomic.h"

namespace hocket {

/// Adds `by`, 1 or -1, to a count that is not negative and stays so. Otherwise returns false and
/// changes nothing. On a processor without atomic instructions it always returns false, and the
/// system does it.
template <class Count>
bool change_count(Count& count, int by);

}  // namespace hocket

class Semaphore {
 public:
  /// A negative count is taken as 0.
  explicit constexpr Semaphore(int count = 1) : count_(count > 0 ? count : 0) {}
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  /// Takes one; blocks the loop until there is one.
  void p() {
    if (!change(-1)) hocket::sys::semaphore_take(&count_);
  }
  /// Like p(), but waits at most this long. Returns false if it got none. p(0) never waits.
  bool p(Microsecond at_most) {
    return change(-1) || hocket::sys::semaphore_take(
                             &count_, hocket::services::later(hocket::sys::now_ns(), at_most));
  }
  /// Gives one to the loop that has waited longest, or else to the count. Never blocks. A count
  /// above INT_MAX is lost.
  void v() {
    if (!change(1)) hocket::sys::semaphore_give(&count_);
  }

  void acquire() { p(); }
  bool acquire(Microsecond at_most) { return p(at_most); }
  void release() { v(); }

 private:
  /// Tries without a system call; `by` is 1 or -1. Returns false if there is none to take or a loop
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
      // Unsigned arithmetic, so that INT_MAX + 1 becomes negative.
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
