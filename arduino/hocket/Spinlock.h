// Spinlock: mutual exclusion for a few instructions, between loops on any cores.
//
//   Spinlock lock;
//   spinlockLock(lock); total += x; spinlockUnlock(lock);
//
// A loop that holds the lock cannot be preempted on its core, so hold it for microseconds only.
// Locking twice, or unlocking a lock that the loop does not hold, stops the loop with a report.
// (Table II of the Qduino paper.)
#pragma once

#include <stdint.h>

#include "arduino/runtime/system.h"

// The system takes and releases the lock, or inline instructions do where the board supports that.
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

/// Frees the lock. Needed only to reuse a lock whose holder was stopped. Never blocks.
inline void spinlockInit(Spinlock& lock) {
  lock.word = 0;
}
/// Spins until the lock is free, then holds it. Loops are served in FIFO order.
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
