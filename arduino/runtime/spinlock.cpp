// Spinlocks of sketches: the rules, wherever the call comes from.
//
// The holder competes above every loop of its core (kernel/sched/vcpu_policy.h, ceilings), so it
// cannot be preempted there by another loop; across cores a ticket makes it first come, first
// served. A loop that keeps a lock longer than the board allows falls back to its own priority:
// those that share the lock wait for it, nobody else does.
#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/sketch.h"
#include "kernel/task/ticket_lock.h"

namespace hocket::runtime {
namespace {
constexpr uint16_t kTopSlot = 0;
}

const char* take_spinlock(uint32_t* lock) {
  if constexpr (PinLines<BoardPins>::kHasDirect) {
    // Whom it has interrupted may hold it.
    if (interrupts::direct_handler_runs()) return "locks a spinlock, which may wait";
  }
  Loop& self = *current();
  if (self.holds(lock)) return "locks a spinlock that it holds already";
  if (self.held_count == Loop::kMostHeld) return "holds too many spinlocks at once (4)";
  Loop::Held& held = self.held[self.held_count];
  held.lock = lock;
  if (!self.is_setup()) {  // which is alone
    held.former_slot = self.vcpu.slot;
    held.former_hold = self.vcpu.hold_until;
    System::raise_self(kTopSlot, System::Duration(spin_blocking(Board::Port::core_count())));
  }
  self.waits_since = System::now();
  self.waits_for = lock;
  ticket_lock<Board::Port::kCores>(*lock, [] { Board::Port::relax(); });
  self.waits_for = nullptr;
  held.since = System::now();
  ++self.held_count;
  return nullptr;
}

const char* give_spinlock(uint32_t* lock) {
  if constexpr (PinLines<BoardPins>::kHasDirect) {
    if (interrupts::direct_handler_runs()) return "unlocks a spinlock that it does not hold";
  }
  Loop& self = *current();
  if (self.held_count == 0 || self.held[self.held_count - 1].lock != lock) {
    return "unlocks a spinlock that it does not hold, or not as the last one it took";
  }
  Loop::Held& held = self.held[--self.held_count];
  self.longest_hold = larger(self.longest_hold, System::now() - held.since);
  ticket_unlock(*lock);
  if (!self.is_setup()) System::lower_self(held.former_slot, held.former_hold);
  return nullptr;
}

void release_locks(Loop& self) {
  while (self.held_count > 0) ticket_unlock(*self.held[--self.held_count].lock);
}

}  // namespace hocket::runtime
