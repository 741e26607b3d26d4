// What an event does: calls a function, lets a thread go on, or signals a semaphore.
//
// An event's handler is called masked, in an interrupt, so it must be short. Handlers are told
// apart by what they call, not by virtual functions: a handler is two pointers, and copies of it
// are as good. What a ThreadHandler or a SemaphoreHandler refers to must outlive the alarm that has
// it. (EPOS calls them Handler_Function, Handler_Thread and Handler_Semaphore.)
#pragma once

#include "kernel/task/kernel.h"

namespace hocket {

struct Handler {
  void (*call)(void* argument) = nullptr;
  void* argument = nullptr;
};

/// Calls `function(argument)`.
struct FunctionHandler : Handler {
  explicit constexpr FunctionHandler(void (*function)(void*), void* with = nullptr)
      : Handler{function, with} {}
};

/// Signals the semaphore: as many events, as many that wait() lets through.
template <class Semaphore>
struct SemaphoreHandler : Handler {
  explicit constexpr SemaphoreHandler(Semaphore& semaphore)
      : Handler{[](void* s) { static_cast<Semaphore*>(s)->signal(); }, &semaphore} {}
};

/// Lets a thread go on that has suspended itself. Events that come while it runs are kept: the
/// first by the kernel, the others are counted here. wait() lets the thread through once for each.
template <class K>
class ThreadHandler : public Handler {
  using Port = typename K::Processor;
  using Thread = typename K::Thread;

 public:
  explicit constexpr ThreadHandler(Thread& thread)
      : Handler{[](void* self) { static_cast<ThreadHandler*>(self)->event(); }, this},
        thread_(thread) {}
  ThreadHandler(const ThreadHandler&) = delete;
  ThreadHandler& operator=(const ThreadHandler&) = delete;

  /// The handler's thread waits for an event that it has not been let through for. No other thread
  /// may call it.
  void wait() {
    const typename Port::IrqState state = Port::irq_save();
    Port::lock(lock_);
    const bool counted = missed_ > 0;
    if (counted) --missed_;
    Port::unlock(lock_);
    if (!counted) K::suspend_self();
    Port::irq_restore(state);
  }

  /// Events that came while the thread was not suspended and an earlier one was kept already. A
  /// thread that calls suspend_self() instead of wait() has lost so many. Any context.
  uint32_t missed() {
    const typename Port::IrqState state = Port::irq_save();
    Port::lock(lock_);
    const uint32_t missed = missed_;
    Port::unlock(lock_);
    Port::irq_restore(state);
    return missed;
  }

 private:
  /// Masked: the lock is held so that no wait() comes between the two.
  void event() {
    Port::lock(lock_);
    if (!K::resume(thread_)) ++missed_;
    Port::unlock(lock_);
  }

  Thread& thread_;
  uint32_t missed_ = 0;
  [[no_unique_address]] typename Port::Lock lock_{};
};

}  // namespace hocket
