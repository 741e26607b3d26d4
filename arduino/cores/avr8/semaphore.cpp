// Semaphores on the Uno. There is one core, so a masked section is the only lock needed. Handlers
// may give too, even while the kernel is running: this file owns the queue, and the kernel is only
// told which loop to wake (core.h).
//
// A waiting record is on the waiting loop's stack. All records are in one queue, which is short
// because there are few loops. On the Uno a count is never negative, because the system changes it
// each time. A wait without time limit uses only the kernel's wake-up, which is small code (without
// a kernel, and in setup(), it polls). A wait with a time limit parks, and only then is parking
// linked.
#include "arduino/cores/avr8/core.h"
#include "arduino/runtime/system.h"

namespace hocket::uno {
Waiting* woken;
}

namespace hocket::sys {
namespace {

struct Waiter : uno::Waiting {  // thread: of a wait without time limit; null: parked
  int* count;
  // Of a parked wait:
  bool (*unpark)(unsigned loop);
  uint8_t loop;
  bool granted;  // it has got its one, and has left the queue
};
uno::Waiting* first = nullptr;

// The functions below: masked.

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

/// Takes one if there is one; otherwise queues the record and returns true: the caller must wait.
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

/// `granted` decides. A permit of sys::unpark() that comes meanwhile is given back at the end. If
/// it coincides with the grant the two are one, and it is given back as well.
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
  parked.unpark(parked.loop);  // the waiter and the semaphore may not exist any more after this
}

}  // namespace hocket::sys
