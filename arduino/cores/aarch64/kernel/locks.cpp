// Spinlocks that the sketch holds (see locks.h).
#include "arduino/cores/aarch64/kernel/locks.h"

#include "arduino/cores/aarch64/kernel/domain.h"
#include "arduino/cores/aarch64/sketch/lock_record.h"
#include "kernel/task/ticket_lock.h"

namespace hocket::locks {
namespace {

using sketch::LockRecord;

/// SAFETY: around a thread's storage, which lies with its stack in pages that stay mapped
/// (Domain::run). Volatile: the sketch may write to it meanwhile, from another core.
volatile LockRecord& record(uint64_t thread_pointer) {
  return *reinterpret_cast<volatile LockRecord*>(thread_pointer - sketch::kLockRecordBelow);
}

/// ticket_unlock() on a word that the sketch may write to meanwhile, as often as it likes: whoever
/// disturbs it so often is not helped.
void unlock(uint32_t& word) {
  constexpr unsigned kMostTries = 1'000;
  uint32_t seen = __atomic_load_n(&word, __ATOMIC_RELAXED);
  for (unsigned tries = 0; tries < kMostTries; ++tries) {
    const uint32_t served = seen + hocket::detail::serve_next(seen);
    if (__atomic_compare_exchange_n(&word, &seen, served, /*weak=*/true, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED)) {
      return;
    }
  }
}

/// Serves the next one, if there can be a lock.
[[gnu::cold]] void unlock(uint64_t address) {
  const bool own = address % sizeof(uint32_t) == 0 &&
                   Domain::current().memory().writable(address, sizeof(uint32_t));
  if (own) unlock(*reinterpret_cast<uint32_t*>(address));
}

}  // namespace

HOCKET_ASIDE bool go_on(void* loop, uint64_t thread_pointer) {
  auto* self = static_cast<runtime::Loop*>(loop);
  if (self == nullptr || self->is_setup() || self->let_go_on) return false;
  if (!self->sketch->program().uses_spinlocks) return false;
  self->let_go_on = true;
  record(thread_pointer).raised = 1;
  return true;
}

void given_back() {
  runtime::Loop* self = runtime::current_loop();
  if (self == nullptr || !self->let_go_on) return;
  // Only then: whoever says at the same time that it holds another one would go on at this
  // decision, too, and so for ever.
  System::lower_self(self->vcpu.rank, System::Instant());
  self->let_go_on = false;
}

[[gnu::cold]] void release(uint64_t thread_pointer) {
  volatile LockRecord& said = record(thread_pointer);
  const uint32_t held = said.held & ~LockRecord::kInner;
  if (held == 0) return;
  if (said.since != LockRecord::kWaits) unlock(held);
  const uint64_t outer = said.outer_count;  // read once
  said.held = 0;
  said.outer_count = 0;
  for (uint64_t i = 0; i < outer && i < LockRecord::kMostHeld - 1; ++i)
    unlock(said.outer[i].word & ~uint64_t{LockRecord::kInner});
}

[[gnu::cold]] void release_of_direct(uint64_t thread_pointer) {
  volatile LockRecord& said = record(thread_pointer);
  const uint64_t address = said.held & ~LockRecord::kInner;
  const bool own = address != 0 && address % sizeof(uint32_t) == 0 &&
                   Domain::current().memory().writable(address, sizeof(uint32_t));
  if (own) {
    auto& word = *reinterpret_cast<uint32_t*>(address);
    uint32_t seen = __atomic_load_n(&word, __ATOMIC_RELAXED);
    const auto in_line = static_cast<uint16_t>(hocket::detail::next_ticket(seen) -
                                               hocket::detail::now_serving(seen));
    constexpr bool kAlone = Board::Port::kCores == 1;
    // Alone, it is the last one in line, and holds the lock if it is the only one; 0: it was ended
    // before it had drawn a ticket.
    const bool waits = kAlone ? in_line != 1 : said.since == LockRecord::kWaits;
    if (waits) {
      said.since = LockRecord::kWaits;  // not to be unlocked
      if (in_line == 2 || (kAlone && in_line > 2)) {
        __atomic_compare_exchange_n(&word, &seen, seen - hocket::detail::kOneTicket, /*weak=*/false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
      }
    }
  }
  release(thread_pointer);
}

uint64_t longest(uint64_t thread_pointer) {
  return record(thread_pointer).longest;
}

uint32_t said(uint64_t thread_pointer) {
  return thread_pointer == 0 ? 0 : record(thread_pointer).held & ~LockRecord::kInner;
}

}  // namespace hocket::locks
