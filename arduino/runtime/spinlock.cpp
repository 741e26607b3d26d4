// Spinlocks of sketches: the rules, wherever the call comes from.
//
// The holder competes above every loop of its core (kernel/sched/vcpu_policy.h, ceilings), so it
// cannot be preempted there by another loop; across cores a ticket makes it first come, first
// served. A loop that keeps a lock longer than the board allows falls back to its own priority:
// those that share the lock wait for it, nobody else does.
//
// A direct handler is no loop, and nobody preempts it: its locks are kept apart, one list for all,
// as there is one handler at a time.
#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/sketches.h"
#include "kernel/task/ticket_lock.h"

namespace hocket::runtime {
namespace {
constexpr uint16_t kTopSlot = 0;

constexpr const char* kTwice = "locks a spinlock that it holds already";
constexpr const char* kTooMany = "holds too many spinlocks at once (4)";
constexpr const char* kNotHeld =
    "unlocks a spinlock that it does not hold, or not as the last one it took";

/// Of the direct handler that is in the middle, innermost last.
uint32_t* of_handler[Loop::kMostHeld];
unsigned of_handler_count = 0;

bool needs(const Loop& loop, const uint32_t* lock) {
  return loop.holds(lock) || loop.waits_for == lock;
}

/// Somebody of the handler's core has it, or is in line for it, and does not run before the handler
/// has returned.
bool is_of_the_interrupted(const uint32_t* lock) {
  const CoreId core = Board::Port::core_id();
  for (unsigned i = 0; i < sketches().loop_count(); ++i) {
    const Loop& loop = sketches().loop(i);
    const CoreId of = System::kMigrates ? System::core_of(loop.thread).id() : loop.vcpu.core;
    if (of == core && needs(loop, lock)) return true;
    if (core == 0 && needs(loop.sketch->setup(), lock)) return true;
  }
  return false;
}

const char* take_in_handler(uint32_t* lock) {
  for (unsigned i = 0; i < of_handler_count; ++i) {
    if (of_handler[i] == lock) return kTwice;
  }
  if (of_handler_count == Loop::kMostHeld) return kTooMany;
  if (is_of_the_interrupted(lock)) return "locks a spinlock that whom it has interrupted holds";
  ticket_lock<Board::Port::kCores>(*lock, [] { Board::Port::relax(); });
  of_handler[of_handler_count++] = lock;
  return nullptr;
}
const char* give_in_handler(uint32_t* lock) {
  if (of_handler_count == 0 || of_handler[of_handler_count - 1] != lock) return kNotHeld;
  --of_handler_count;
  ticket_unlock(*lock);
  return nullptr;
}

/// Above all loops of its core, and back with what is noted. (Who may go on on another core must
/// not do so between the note and the raise; then it is raised, and stays.)
[[gnu::always_inline]] inline void raise(const Loop& self, Loop::Held& held) {
  [[maybe_unused]] Board::Port::IrqState state{};
  if constexpr (System::kMigrates) state = Board::Port::irq_save();
  const System::Vcpu& vcpu = System::kMigrates ? *self.thread.vcpu : self.vcpu;
  held.former_slot = vcpu.slot;
  held.former_hold = vcpu.hold_until;
  System::raise_self(kTopSlot, System::Duration(spin_blocking(Board::Port::core_count())));
  if constexpr (System::kMigrates) Board::Port::irq_restore(state);
}

}  // namespace

const char* take_spinlock(uint32_t* lock) {
  if (interrupts::direct_handler_runs()) return take_in_handler(lock);
  Loop& self = *current();
  if (self.holds(lock)) return kTwice;
  if (self.held_count == Loop::kMostHeld) return kTooMany;
  Loop::Held& held = self.held[self.held_count];
  held.lock = lock;
  if (!self.is_setup()) raise(self, held);  // setup() is alone
  self.waits_since = System::now();
  self.waits_for = lock;
  ticket_lock<Board::Port::kCores>(*lock, [] { Board::Port::relax(); });
  self.waits_for = nullptr;
  held.since = System::now();
  ++self.held_count;
  return nullptr;
}

const char* give_spinlock(uint32_t* lock) {
  if (interrupts::direct_handler_runs()) return give_in_handler(lock);
  Loop& self = *current();
  if (self.held_count == 0 || self.held[self.held_count - 1].lock != lock) return kNotHeld;
  Loop::Held& held = self.held[--self.held_count];
  self.longest_hold = larger(self.longest_hold, System::now() - held.since);
  ticket_unlock(*lock);
  if (!self.is_setup()) System::lower_self(held.former_slot, held.former_hold);
  return nullptr;
}

void release_locks(Loop& self) {
  while (self.held_count > 0) ticket_unlock(*self.held[--self.held_count].lock);
}
bool direct_handler_holds_locks() {
  return of_handler_count > 0;
}
void release_locks_of_direct_handler() {
  while (of_handler_count > 0) ticket_unlock(*of_handler[--of_handler_count]);
}

}  // namespace hocket::runtime
