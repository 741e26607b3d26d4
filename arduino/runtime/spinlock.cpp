// Spinlocks of sketches. Linked only into sketches that use them, and only then counted as
// blocking.
//
// The holder competes above every loop of its core (kernel/sched/vcpu_policy.h, ceilings), so it
// cannot be preempted there by another loop; across cores a ticket makes it first come, first
// served. A loop that keeps a lock longer than the board allows falls back to its own priority:
// those that share the lock wait for it, nobody else does.
#include "arduino/runtime/runtime.h"
#include "arduino/runtime/system.h"
#include "kernel/task/ticket_lock.h"

namespace hocket {
namespace runtime {

/// Each core may be kept by its own holder and, before that, by the holders on all others in turn.
Ticks spin_blocking(unsigned cores) {
  return Board::kLongestSpin * static_cast<Ticks>(cores);
}

namespace {
constexpr uint16_t kTopSlot = 0;
}
}  // namespace runtime

namespace sys {

void spin_lock(uint32_t* lock) {
  runtime::Loop* self = runtime::current_loop();
  if (self == nullptr) return ticket_lock(*lock, [] { Board::Port::relax(); });  // setup(): alone
  for (unsigned i = 0; i < self->held_count; ++i) {
    if (self->held[i].lock == lock)
      fault("locks a spinlock that it holds already", __builtin_return_address(0));
  }
  if (self->held_count == runtime::Loop::kMostHeld)
    fault("holds too many spinlocks at once (4)", __builtin_return_address(0));
  runtime::Loop::Held& held = self->held[self->held_count];
  held.lock = lock;
  held.former_slot = self->vcpu.slot;
  held.former_hold = self->vcpu.hold_until;
  System::raise_self(runtime::kTopSlot,
                     System::Duration(runtime::spin_blocking(Board::Port::core_count())));
  ticket_lock(*lock, [] { Board::Port::relax(); });
  held.since = System::now();
  ++self->held_count;
}

void spin_unlock(uint32_t* lock) {
  runtime::Loop* self = runtime::current_loop();
  if (self == nullptr) return ticket_unlock(*lock);
  if (self->held_count == 0 || self->held[self->held_count - 1].lock != lock) {
    fault("unlocks a spinlock that it does not hold, or not as the last one it took",
          __builtin_return_address(0));
  }
  runtime::Loop::Held& held = self->held[--self->held_count];
  self->longest_hold = larger(self->longest_hold, System::now() - held.since);
  ticket_unlock(*lock);
  System::lower_self(held.former_slot, held.former_hold);
}

}  // namespace sys
}  // namespace hocket
