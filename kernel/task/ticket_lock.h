// Ticket spinlock in one 32-bit word: whoever asks first is served first.
//
// Invariants
// - At most one holder, and holders are served in the order of their fetch-and-add (FIFO): with p
//   cores and critical sections of at most s, a core waits at most (p-1)·s.
// - The word starts at zero; a word whose halves are equal is free.
//
//     31            16 15             0        lock    draw `next`, wait until it is served
//     |  next ticket  |  now serving  |        unlock  serving + 1
//
// - A carry never leaves the lower half: unlock at 0xffff adds 1 - 0x10000. A carry out of the
//   upper half falls off the word. Up to 65,535 parties may hold or wait at once.
//
// Memory order. The load that sees one's turn is an acquire, unlock is a release. Tickets that
// others draw in between do not break the chain: a read-modify-write continues the release
// sequence.
//
// What the caller adds: interrupts (and preemption on this core) are masked before locking and
// restored after unlocking, otherwise a waiter could preempt the holder on its own core; holding
// time is measured outside; locking twice is caught outside (here it waits for ever). On a
// processor without atomic instructions the masked interrupts are what makes the accesses below
// indivisible; that serves where its port declares one core, and does not compile with several.
#pragma once

#include <stdint.h>

#include "kernel/base/atomic.h"

namespace hocket {

/// Cores that may ask for a lock, where nobody says how many.
inline constexpr unsigned kSeveralCores = 2;

namespace detail {
inline constexpr uint32_t kOneTicket = 0x10000;

/// Larger processors without atomic instructions do exist with two cores (RP2040).
template <unsigned kCores>
constexpr void check_lockable() {
  static_assert(
      AtomicUpdate<uint32_t> || kCores == 1,
      "this processor has no atomic instructions, and several cores may use this lock: its "
      "port needs the processor's own spinlock hardware in place of the ticket lock, or "
      "declares one core");
}

constexpr uint16_t next_ticket(uint32_t word) {
  return static_cast<uint16_t>(word >> 16);
}
constexpr uint16_t now_serving(uint32_t word) {
  return static_cast<uint16_t>(word);
}

/// What unlock adds to the word: one to the lower half, without a carry into the upper.
constexpr uint32_t serve_next(uint32_t word) {
  return now_serving(word) == 0xffff ? 1u - kOneTicket : 1u;
}

template <typename Word, int kModel>
inline Word lock_word_add(Word& word, Word amount, order::Tag<kModel> model) {
  if constexpr (AtomicUpdate<Word>) {
    return atomic_fetch_add(word, amount, model);
  } else {
    compiler_fence();
    const Word before = word;
    word = before + amount;
    compiler_fence();
    return before;
  }
}

/// Draws a ticket if the word still is `seen`.
template <typename Word>
inline bool lock_word_take(Word& word, Word seen) {
  if constexpr (AtomicUpdate<Word>) {
    return atomic_compare_exchange(word, seen, seen + kOneTicket, order::acquire, order::relaxed);
  } else {
    lock_word_add(word, Word{kOneTicket}, order::acquire);
    return true;
  }
}

template <typename Word, int kModel>
inline Word lock_word_load(const Word& word, order::Tag<kModel> model) {
  if constexpr (AtomicAccess<Word>) {
    return atomic_load(word, model);
  } else {
    return *static_cast<const volatile Word*>(&word);
  }
}
}  // namespace detail

/// Takes the lock, waiting in line. `relax()` is called each time the turn has not come: the port's
/// hint that this core is polling. It may return early, and must return once the word has changed.
/// `kCores`: the port's.
/// Context: interrupts masked on this core, lock not held by it. Spins; bound: see above.
template <unsigned kCores = kSeveralCores, typename Relax>
inline void ticket_lock(uint32_t& word, Relax&& relax) {
  detail::check_lockable<kCores>();
  const uint32_t before = detail::lock_word_add(word, detail::kOneTicket, order::acquire);
  const uint16_t ticket = detail::next_ticket(before);
  if (detail::now_serving(before) == ticket) return;
  while (detail::now_serving(detail::lock_word_load(word, order::acquire)) != ticket) relax();
}

/// Draws a ticket if nobody waits for the lock, behind its holder: it is the next one's, whose turn
/// has come or will come. False at once otherwise, or when another core was quicker.
/// Context: interrupts masked on this core. Never blocks.
template <unsigned kCores = kSeveralCores>
inline bool ticket_draw_as_next(uint32_t& word, uint16_t& ticket) {
  detail::check_lockable<kCores>();
  const uint32_t seen = detail::lock_word_load(word, order::relaxed);
  ticket = detail::next_ticket(seen);
  const auto before = static_cast<uint16_t>(ticket - detail::now_serving(seen));
  return before <= 1 && detail::lock_word_take(word, seen);
}

/// Takes the lock if nobody waits for it, behind its holder; false at once otherwise, or when
/// another core was quicker. A core that asks only so, and has interrupts unmasked between, is
/// masked for no longer than one holder's section and its own, however many cores ask.
/// Context: interrupts masked on this core. Spins as long as the holder.
template <unsigned kCores = kSeveralCores, typename Relax>
inline bool ticket_lock_as_next(uint32_t& word, Relax&& relax) {
  uint16_t ticket;
  if (!ticket_draw_as_next<kCores>(word, ticket)) return false;
  while (detail::now_serving(detail::lock_word_load(word, order::acquire)) != ticket) relax();
  return true;
}

/// Gives the lock to the next in line.
/// Context: the holder, before it restores interrupts. Never blocks.
inline void ticket_unlock(uint32_t& word) {
  const uint32_t mine =
      detail::lock_word_load(word, order::relaxed);  // serving is the holder's to change
  detail::lock_word_add(word, detail::serve_next(mine), order::release);
}

/// The same lock as an object. `Relax` is the port's polling hint, a callable without state.
template <typename Relax, unsigned kCores = kSeveralCores>
class TicketLock {
 public:
  constexpr TicketLock() = default;
  TicketLock(const TicketLock&) = delete;
  TicketLock& operator=(const TicketLock&) = delete;

  void lock() { ticket_lock<kCores>(word_, Relax{}); }
  bool lock_as_next() { return ticket_lock_as_next<kCores>(word_, Relax{}); }
  void unlock() { ticket_unlock(word_); }

 private:
  uint32_t word_ = 0;
};

}  // namespace hocket
