// Spinlock: a few instructions that loops on any core do one at a time.
//
//   Spinlock lock;
//   spinlockLock(lock); total += x; spinlockUnlock(lock);
//
// While a loop holds the lock it cannot be preempted on its core, so hold it for microseconds.
// Locking twice, or unlocking what the loop does not hold, stops the loop with a report. (Table II
// of the Qduino paper.)
#pragma once

#include <stdint.h>

#include "arduino/runtime/system.h"

// Who takes and gives back: the system, or a few instructions here where the board can.
#if __has_include("board_spinlock.h")
#include "board_spinlock.h"
namespace hocket {
namespace spins = sketch;
}
#else
namespace hocket {
namespace spins = sys;
}
#endif

struct Spinlock {
  uint32_t word = 0;

  Spinlock() = default;
  Spinlock(const Spinlock&) = delete;
  Spinlock& operator=(const Spinlock&) = delete;
};

/// Makes the lock free; needed only to use one again whose holder has stopped. Never blocks.
inline void spinlockInit(Spinlock& lock) {
  lock.word = 0;
}
/// Waits, busy, until the lock is free, then holds it. Loops wait in the order in which they came.
inline void spinlockLock(Spinlock& lock) {
  hocket::spins::spin_lock(&lock.word);
}
inline void spinlockUnlock(Spinlock& lock) {
  hocket::spins::spin_unlock(&lock.word);
}

inline void spinlockInit(Spinlock* lock) {
  spinlockInit(*lock);
}
inline void spinlockLock(Spinlock* lock) {
  spinlockLock(*lock);
}
inline void spinlockUnlock(Spinlock* lock) {
  spinlockUnlock(*lock);
}

/// Holds a lock until the end of the block: `SpinlockGuard guard(lock);`
class [[nodiscard]] SpinlockGuard {
 public:
  explicit SpinlockGuard(Spinlock& lock) : lock_(lock) { spinlockLock(lock_); }
  ~SpinlockGuard() { spinlockUnlock(lock_); }
  SpinlockGuard(const SpinlockGuard&) = delete;
  SpinlockGuard& operator=(const SpinlockGuard&) = delete;

 private:
  Spinlock& lock_;
};
