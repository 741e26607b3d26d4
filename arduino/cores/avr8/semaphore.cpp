// The waiting of semaphores on the Uno: one core, so a masked section is all the lock that is
// needed. Handlers give too, in the midst of the kernel's sections: the queue is this file's, and
// the kernel is only told whom to wake (core.h).
//
// What waits is on the waiting loop's own stack; all wait in one queue, which is as short as there
// are few loops. Here a count is never below 0: the system changes it each time. Who waits without
// end waits for the kernel's wake-up alone, which is short (without a kernel, and in setup(), it
// looks again and again); who waits for a time is parked, and only then is what parks linked.
#include "arduino/cores/avr8/core.h"
#include "arduino/runtime/system.h"

namespace hocket::uno {
Waiting* woken;
}

namespace hocket::sys {
namespace {

struct Waiter : uno::Waiting {  // thread: waits without end; null: is parked
  int* count;
  // Of who is parked:
  bool (*unpark)(unsigned loop);
  uint8_t loop;
  bool granted;  // has its one, and is in the queue no longer
};
uno::Waiting* first = nullptr;

// Masked.

uno::Waiting** end_of_queue() {
  uno::Waiting** at = &first;
  while (*at != nullptr) at = &(*at)->next;
  return at;
}
bool take_free(int* count) {
  if (*count <= 0) return false;
  --*count;
  return true;
}

/// Takes what is free, else queues. True: it is to wait.
bool take_or_queue(uno::Waiting& waiting) {
  const uno::Masked masked;
  if (take_free(static_cast<Waiter&>(waiting).count)) return false;
  *end_of_queue() = &waiting;
  return true;
}

void remove(const Waiter& waiter) {
  uno::Waiting** at = &first;
  while (*at != &waiter) at = &(*at)->next;
  *at = waiter.next;
}

}  // namespace

void semaphore_take(int* count) {
  for (;;) {
    {
      const uno::Masked masked;
      if (take_free(count)) return;
    }
    if (void* const thread = uno::this_thread()) {
      Waiter self{{nullptr, thread}, count, nullptr, 0, false};
      return uno::wait(&take_or_queue, self);
    }
  }
}

/// What counts is `granted`. A permit that came otherwise is there again at the end; where it came
/// together with what was granted they are one, so it is there then, too.
bool semaphore_take(int* count, uint64_t until_ns) {
  Waiter self{{nullptr, nullptr}, count, &unpark, static_cast<uint8_t>(loop_id()), false};
  if (!take_or_queue(self)) return true;
  for (bool permit = false;;) {
    const bool in_time = park_until_ns(until_ns);
    bool granted;
    {
      const uno::Masked masked;
      granted = self.granted;
      if (!granted && !in_time) remove(self);
    }
    permit |= in_time;
    if (!granted && in_time) continue;
    if (permit) unpark(self.loop);
    return granted;
  }
}

void semaphore_give(int* count) {
  uno::Masked masked;
  uno::Waiting** at = &first;
  Waiter* waiter;
  for (;; at = &waiter->next) {
    waiter = static_cast<Waiter*>(*at);
    if (waiter == nullptr) {
      if (*count < __INT_MAX__) ++*count;
      return;
    }
    if (waiter->count == count) break;
  }
  *at = waiter->next;
#ifndef HOCKET_WITHOUT_LOOPS
  if (waiter->thread != nullptr) return uno::wake(*waiter, masked.before());
#endif
  const Waiter parked = *waiter;
  waiter->granted = true;
  masked.restore();
  parked.unpark(parked.loop);  // of the waiter and the semaphore nothing is used any more
}

}  // namespace hocket::sys
