// Mutex with an immediate priority ceiling, for threads of one core.
//
// While a thread holds it, its virtual CPU competes at the mutex's ceiling: none of the others that
// use the mutex can run, so a locked mutex is (almost) never found locked, nothing deadlocks and
// inversion is bounded by one critical section (Sha, Rajkumar, Lehoczky 1990; Burns & Wellings'
// immediate form).
//
// A critical section may outlive the holder's budget, up to `longest_hold` after the lock was
// taken: the others would otherwise wait for its next period. What it takes is an overrun that its
// later budget pays for. A holder that keeps it longer falls back to its own priority and budget,
// so it delays only those that share the mutex with it; those then wait in order of priority. The
// admission test counts `longest_hold` as blocking. A thread should not sleep while it holds a
// mutex: it falls back too.
//
// Across cores: use a spinlock or a channel.
#pragma once

#include "kernel/task/kernel.h"

namespace hocket {

template <class K, class Port>
class Mutex {
 public:
  using Slot = typename K::Policy::Slot;
  using Duration = typename K::Duration;

  /// `ceiling`: a slot of its own on the core, just above the highest virtual CPU that uses the
  /// mutex.
  constexpr Mutex(Slot ceiling, Duration longest_hold)
      : ceiling_(ceiling), longest_hold_(longest_hold) {}

  /// Blocks only when a former holder kept the mutex too long or waits for budget. Threads only;
  /// the caller must not hold it already.
  void lock() {
    HOCKET_CHECK(!Port::in_irq());  // it would be whoever was interrupted that waits
    const typename Port::IrqState state = Port::irq_save();
    if (owner_ != nullptr) {
      HOCKET_CHECK(owner_ != &K::self());
      K::wait([this](Thread& thread) {
        waiters_.insert_ordered(thread, [](const Thread& a, const Thread& b) {
          return K::Policy::precedes(*a.vcpu, *b.vcpu);
        });
      });
    }
    take();
    Port::irq_restore(state);
  }

  /// By the holder. Hands over to the first waiter, if any.
  void unlock() {
    HOCKET_CHECK(!Port::in_irq());
    const typename Port::IrqState state = Port::irq_save();
    HOCKET_CHECK(owner_ == &K::self());
    owner_ = waiters_.empty() ? nullptr : &waiters_.pop_front();
    const Slot slot = former_slot_;
    const typename K::Instant hold = former_hold_;
    if (owner_ != nullptr) K::wake(*owner_);  // it cannot preempt before the ceiling is given back
    K::lower_self(slot, hold);
    Port::irq_restore(state);
  }

  bool locked() const { return owner_ != nullptr; }

 private:
  using Thread = typename K::Thread;

  void take() {
    owner_ = &K::self();
    former_slot_ = owner_->vcpu->slot;
    former_hold_ = owner_->vcpu->hold_until;
    K::raise_self(ceiling_, longest_hold_);
  }

  Slot ceiling_;
  Slot former_slot_ = 0;
  Duration longest_hold_;
  typename K::Instant former_hold_;
  Thread* owner_ = nullptr;
  List<Thread> waiters_;
};

}  // namespace hocket
