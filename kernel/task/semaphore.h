// Counting semaphore: wait() blocks while the count is 0; signal() wakes one waiter, or adds to the
// count.
//
// Waiters are served in order of arrival or of priority, chosen by type. Legal contexts: wait() is
// for threads only (checked); signal() and try_wait() are also for interrupt handlers. Any core.
// wait() costs one switch if it blocks. signal() is O(1). In priority order, a wait() that blocks
// is O(waiters).
#pragma once

#include "kernel/task/kernel.h"

namespace hocket {

enum class WaitOrder : uint8_t { Arrival, Priority };

template <class K, class Port, WaitOrder kOrder = WaitOrder::Arrival>
class Semaphore {
 public:
  explicit constexpr Semaphore(uint32_t count = 0) : count_(count) {}

  void wait() {
    HOCKET_CHECK(!Port::in_irq());  // in a handler, the interrupted thread would wait
    const typename Port::IrqState state = Port::irq_save();
    Port::lock(lock_);
    if (count_ > 0) {
      --count_;
      Port::unlock(lock_);
    } else {
      K::wait([this](Thread& thread) {
        enqueue(thread);
        Port::unlock(lock_);
      });
    }
    Port::irq_restore(state);
  }

  /// Takes one if the count is positive. Never blocks.
  [[nodiscard]] bool try_wait() {
    const typename Port::IrqState state = Port::irq_save();
    Port::lock(lock_);
    const bool taken = count_ > 0;
    if (taken) --count_;
    Port::unlock(lock_);
    Port::irq_restore(state);
    return taken;
  }

  void signal() {
    const typename Port::IrqState state = Port::irq_save();
    Port::lock(lock_);
    if (waiters_.empty()) {
      ++count_;
      Port::unlock(lock_);
    } else {
      Thread& thread = waiters_.pop_front();
      Port::unlock(lock_);
      K::wake(thread);
    }
    Port::irq_restore(state);
  }

 private:
  using Thread = typename K::Thread;

  void enqueue(Thread& thread) {
    if constexpr (kOrder == WaitOrder::Arrival) {
      waiters_.push_back(thread);
    } else {
      waiters_.insert_ordered(thread, [](const Thread& a, const Thread& b) {
        return K::Policy::precedes(*a.vcpu, *b.vcpu);
      });
    }
  }

  [[no_unique_address]] typename Port::Lock lock_{};
  Ring<Thread> waiters_;
  uint32_t count_;
};

}  // namespace hocket
