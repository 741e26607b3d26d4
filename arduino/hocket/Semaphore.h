// Semaphore: a count that loops take from, and wait for when it is 0.
//
//   Semaphore pulses(0);
//   pulses.p();      waits until there is one, takes it      (also acquire())
//   pulses.v();      gives one                               (also release())
//
// Who came first is served first. Loops on any cores, and setup(). What waits is on the waiting
// loop's own stack, so there is no limit and no heap:
//
//   count_ > 0, nobody waits     or     count_ = 0, first_ → waiter → waiter ← last_
//
// (The semaphore of "Temporal Event Management in EPOS", section 2.)
#pragma once

#include "hocket/Microsecond.h"
#include "hocket/Spinlock.h"

class Semaphore {
 public:
  /// Below 0 counts as 0.
  explicit constexpr Semaphore(int count = 1)
      : count_(count > 0 ? static_cast<uint32_t>(count) : 0) {}
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  /// Takes one; blocks the loop until there is one.
  void p() { take(hocket::services::kNever); }
  /// As p(), but waits no longer than this: false when there was none. p(0) never waits.
  bool p(Microsecond at_most) {
    return take(hocket::services::later(hocket::sys::now_ns(), at_most));
  }
  /// Gives one: to whoever waits longest, if somebody does. Never blocks.
  void v();

  void acquire() { p(); }
  bool acquire(Microsecond at_most) { return p(at_most); }
  void release() { v(); }

 private:
  struct Waiter {
    Waiter* next;
    unsigned loop;
    bool granted;  // has its one, and is in the queue no longer
  };

  bool take(uint64_t until);
  void append(Waiter& waiter);
  void remove(const Waiter& waiter);

  Spinlock lock_;
  uint32_t count_;
  Waiter* first_ = nullptr;
  Waiter* last_ = nullptr;
};

/// A permit may be from an earlier v(): what counts is `granted`, and it is looked at with the lock
/// held. So v() has left the semaphore when its p() returns, which may destroy it then.
inline bool Semaphore::take(uint64_t until) {
  Waiter self{nullptr, hocket::sys::loop_id(), false};
  const SpinlockGuard guard(lock_);
  if (count_ > 0) {
    --count_;
    return true;
  }
  append(self);
  bool in_time = true;
  while (!self.granted && in_time) {
    spinlockUnlock(lock_);
    in_time = hocket::sys::park_until_ns(until);
    spinlockLock(lock_);
  }
  if (!self.granted) remove(self);
  return self.granted;
}

inline void Semaphore::v() {
  spinlockLock(lock_);
  Waiter* const waiter = first_;
  if (waiter == nullptr) {
    ++count_;
    return spinlockUnlock(lock_);
  }
  first_ = waiter->next;
  if (first_ == nullptr) last_ = nullptr;
  const unsigned loop = waiter->loop;
  waiter->granted = true;
  spinlockUnlock(lock_);
  hocket::sys::unpark(loop);  // of the waiter and the semaphore nothing is used any more
}

inline void Semaphore::append(Waiter& waiter) {
  (last_ == nullptr ? first_ : last_->next) = &waiter;
  last_ = &waiter;
}

inline void Semaphore::remove(const Waiter& waiter) {
  Waiter* before = nullptr;
  for (Waiter* at = first_; at != &waiter; at = at->next) before = at;
  (before == nullptr ? first_ : before->next) = waiter.next;
  if (last_ == &waiter) last_ = before;
}
