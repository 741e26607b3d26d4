// Spinlocks of sketches: the rules, wherever the call comes from.
//
// A holder has the ceiling priority of its core, above every loop (kernel/sched/vcpu_policy.h), so
// no other loop there can preempt it. Across cores a ticket lock gives FIFO order. A loop that
// holds a lock for longer than the board allows falls back to its own priority. Then only the loops
// that share the lock wait for it.
//
// A direct handler is not a loop, and nothing preempts it. Its locks are kept in one separate list,
// because only one direct handler runs at a time.
#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/sketches.h"
#include "arduino/runtime/spinlock_words.h"
#include "kernel/task/ticket_lock.h"

namespace hocket::runtime {
namespace {
constexpr uint16_t kTopSlot = 0;
using spinlock::kNotHeld, spinlock::kTooMany, spinlock::kTwice;

/// The locks of the running direct handler, innermost last.
uint32_t* of_handler[Loop::kMostHeld];
unsigned of_handler_count = 0;

bool needs(const Loop& loop, const uint32_t* lock) {
  return loop.holds(lock) || loop.waits_for == lock;
}

/// Whether a loop or setup() of the handler's core holds the lock or waits for it. It cannot run
/// before the handler returns, so the handler would wait for ever.
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

/// Raises the loop to the ceiling of its core, and records its present priority. (A loop that may
/// migrate must not do so between the two steps. Once raised, it stays on its core.)
[[gnu::always_inline]] inline void raise(const Loop& self, Loop::Held& held) {
  [[maybe_unused]] Board::Port::IrqState state{};
  if constexpr (System::kMigrates) state = Board::Port::irq_save();
  const System::Vcpu& vcpu = System::kMigrates ? *self.thread.vcpu : self.vcpu;
  held.former_slot = vcpu.slot;
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
  if (!self.is_setup()) raise(self, held);  // only loops that serve interrupts run beside it
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
  if (!self.is_setup()) System::lower_self(held.former_slot);
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
