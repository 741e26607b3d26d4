// Spinlocks that threads of the sketch hold (see locks.h).
#include "arduino/cores/protected/kernel/locks.h"

#include "arduino/cores/protected/kernel/domain.h"
#include "arduino/runtime/interrupts.h"
#include "kernel/task/ticket_lock.h"

namespace hocket::locks {
namespace {

using sketch::LockRecord;

/// The tickets of direct handlers that were aborted while they waited, each listed once.
struct Place {
  uint32_t* word;
  uint16_t ticket;
};
Place places[runtime::interrupts::kMostDirect];
unsigned places_used;

/// ticket_unlock() on a word that the sketch may also write, so the number of attempts is limited.
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

/// The lock's word; null: no lock can be at this address.
HOCKET_IN_LINE uint32_t* word_at(uint64_t address) {
  const bool own = address != 0 && address % sizeof(uint32_t) == 0 &&
                   Domain::current().memory().writable(address, sizeof(uint32_t));
  return own ? reinterpret_cast<uint32_t*>(address) : nullptr;
}

/// Passes the lock on to the next ticket, if there can be a lock.
[[gnu::cold]] void unlock(uint64_t address) {
  if (uint32_t* const word = word_at(address)) unlock(*word);
}

/// Returns true if this ticket's turn had come and was passed on.
[[gnu::cold]] bool pass_turn(const Place& place) {
  const uint32_t seen = __atomic_load_n(place.word, __ATOMIC_RELAXED);
  if (hocket::detail::now_serving(seen) != place.ticket) return false;
  unlock(*place.word);
  return true;
}

/// Withdraws a ticket whose owner will never use it. Retries while other cores change the word, but
/// not more often than legal use could require.
[[gnu::cold]] void leave_line(uint32_t& word, uint16_t ticket) {
  constexpr unsigned kMostTries = 1'000;
  uint32_t seen = __atomic_load_n(&word, __ATOMIC_RELAXED);
  for (unsigned tries = 0; tries < kMostTries; ++tries) {
    if (hocket::detail::now_serving(seen) == ticket) return unlock(word);
    const auto last = static_cast<uint16_t>(hocket::detail::next_ticket(seen) - 1);
    if (last != ticket) break;
    if (__atomic_compare_exchange_n(&word, &seen, seen - hocket::detail::kOneTicket, /*weak=*/false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      return;
    }
  }
  if (places_used < runtime::interrupts::kMostDirect) places[places_used++] = {&word, ticket};
}

}  // namespace

HOCKET_ASIDE bool go_on(void* loop, uint64_t thread_pointer) {
  auto* self = static_cast<runtime::Loop*>(loop);
  if (self == nullptr || self->is_setup() || self->let_go_on) return false;
  if (!self->sketch->program().uses_spinlocks) return false;
  self->let_go_on = true;
  record_at(thread_pointer).store(&LockRecord::raised, uint32_t{1});
  return true;
}

void given_back() {
  runtime::Loop* self = runtime::current_loop();
  if (self == nullptr || !self->let_go_on) return;
  // Only now. A thread that claims at the same moment to hold another lock would otherwise go on at
  // this decision too, and so for ever.
  System::lower_self(self->vcpu.rank);
  self->let_go_on = false;
}

[[gnu::cold]] void release(uint64_t thread_pointer) {
  const auto said = record_at(thread_pointer);
  const uint32_t held = said.load(&LockRecord::held) & ~LockRecord::kInner;
  if (held == 0) return;
  if (!LockRecord::waits(said.load(&LockRecord::since))) unlock(held);
  const uint64_t outer =
      smaller<uint64_t>(said.load(&LockRecord::outer_count), LockRecord::kMostHeld - 1);
  said.store(&LockRecord::held, uint32_t{0});
  said.store(&LockRecord::outer_count, uint64_t{0});
  for (uint64_t i = 0; i < outer; ++i)
    unlock(said.load(&LockRecord::outer, i, &LockRecord::Lock::word) &
           ~uint64_t{LockRecord::kInner});
}

[[gnu::cold]] void release_of_direct(uint64_t thread_pointer) {
  const auto said = record_at(thread_pointer);
  if (uint32_t* const word = word_at(said.load(&LockRecord::held) & ~LockRecord::kInner)) {
    const uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    const auto last = static_cast<uint16_t>(hocket::detail::next_ticket(seen) - 1);
    const auto in_line = static_cast<uint16_t>(last + 1 - hocket::detail::now_serving(seen));
    // With one core, the handler is the last in line, and holds the lock if it is the only one. 0:
    // it was aborted before it drew a ticket.
    constexpr bool kAlone = Board::Port::kCores == 1;
    const uint64_t since = kAlone ? LockRecord::kWaits | last : said.load(&LockRecord::since);
    const bool waits = kAlone ? in_line != 1 : LockRecord::waits(since);
    if (waits)
      said.store(&LockRecord::since, uint64_t{LockRecord::kWaits});  // must not be unlocked
    if (waits && in_line > 1) leave_line(*word, static_cast<uint16_t>(since));
  }
  release(thread_pointer);
}

[[gnu::cold]] bool pass_turns() {
  for (unsigned i = 0; i < places_used;) {
    if (pass_turn(places[i])) {
      places[i] = places[--places_used];
    } else {
      ++i;
    }
  }
  return places_used > 0;
}

bool draws(uint64_t thread_pointer) {
  const auto own = record_at(thread_pointer);
  return own.load(&LockRecord::held) != 0 && !LockRecord::waits(own.load(&LockRecord::since));
}

uint64_t longest(uint64_t thread_pointer) {
  return record_at(thread_pointer).load(&LockRecord::longest);
}

uint32_t said(uint64_t thread_pointer) {
  return thread_pointer == 0
             ? 0
             : record_at(thread_pointer).load(&LockRecord::held) & ~LockRecord::kInner;
}

}  // namespace hocket::locks
