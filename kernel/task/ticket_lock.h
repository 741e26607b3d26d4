// Ticket spinlock in one 32-bit word: requests are served in order of arrival.
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
// Duties of the caller: mask interrupts (and preemption on this core) before locking, and restore
// them after unlocking; otherwise a waiter could preempt the holder on its own core. Measure the
// hold time. Never lock twice: the second attempt waits for ever. On a processor without atomic
// instructions, the masked interrupts make the accesses below indivisible. That suffices for a port
// with one core, and does not compile with several.
#pragma once

#include <stdint.h>

#include "kernel/base/atomic.h"

namespace hocket {

/// The number of cores that may request a lock, if the port does not say.
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

/// Takes the lock, waiting in order of arrival. `relax()` is called on each poll: it is the port's
/// hint that this core is polling. It may return early, and must return once the word has changed.
/// `kCores` is the port's number of cores.
///
/// Context: interrupts masked on this core, lock not held by it. Spins; bound: see above.
template <unsigned kCores = kSeveralCores, typename Relax>
inline void ticket_lock(uint32_t& word, Relax&& relax) {
  detail::check_lockable<kCores>();
  const uint32_t before = detail::lock_word_add(word, detail::kOneTicket, order::acquire);
  const uint16_t ticket = detail::next_ticket(before);
  if (detail::now_serving(before) == ticket) return;
  while (detail::now_serving(detail::lock_word_load(word, order::acquire)) != ticket) relax();
}

/// Draws a ticket if no core waits for the lock. The ticket is then the next one to be served after
/// the holder's, or is served already. Returns false at once if a core waits, or if another core
/// was faster.
///
/// Context: interrupts masked on this core. Never blocks.
template <unsigned kCores = kSeveralCores>
inline bool ticket_draw_as_next(uint32_t& word, uint16_t& ticket) {
  detail::check_lockable<kCores>();
  const uint32_t seen = detail::lock_word_load(word, order::relaxed);
  ticket = detail::next_ticket(seen);
  const auto before = static_cast<uint16_t>(ticket - detail::now_serving(seen));
  return before <= 1 && detail::lock_word_take(word, seen);
}

/// Takes the lock if no core waits for it; its holder may still hold it. Returns false at once if a
/// core waits, or if another core was faster. A core that takes the lock only in this way, and
/// unmasks interrupts between attempts, is masked for at most one other holder's section and its
/// own, however many cores compete.
///
/// Context: interrupts masked on this core. Spins until the holder has released the lock.
template <unsigned kCores = kSeveralCores, typename Relax>
inline bool ticket_lock_as_next(uint32_t& word, Relax&& relax) {
  uint16_t ticket;
  if (!ticket_draw_as_next<kCores>(word, ticket)) return false;
  while (detail::now_serving(detail::lock_word_load(word, order::acquire)) != ticket) relax();
  return true;
}

/// Releases the lock to the next waiter.
/// Context: the holder, before it restores interrupts. Never blocks.
inline void ticket_unlock(uint32_t& word) {
  // Only the holder changes the half that is served.
  const uint32_t mine = detail::lock_word_load(word, order::relaxed);
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
