// Which threads wait at which word of a sketch's memory: the waiting side of counting semaphores.
//
// A word that is not negative is a count, which the sketch changes by itself. While threads wait at
// it, the word is ~n, where n is the number of the thread that has waited longest, and only the
// kernel changes it. A queue is therefore found without a search, and there are as many queues as
// words:
//
//     word = ~7  ──▶  [7, leads] ⇄ [2] ⇄ [5] ⇄ (7)      all note that they wait at this word
//
// The kernel does not trust the word, because the sketch can write to it at any time. A word that
// does not name the leader of this very word's queue has no queue. Threads whose word was
// overwritten wait until their time is over; no other thread is affected. All other data is in the
// kernel's own memory.
//
// Invariant: no function here loops, whatever other code writes meanwhile. If a word changes during
// an operation, the answer is LookAgain. Legal context: the caller holds one lock for all queues,
// with interrupts masked.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// Waiters have the numbers 0 to kMost-1. Each waits at one word at most. `Who` is the caller's
/// data for a waiter.
template <unsigned kMost, class Who>
class WordQueues {
 public:
  using Word = int;  // the type of a Semaphore's count on this processor
  static constexpr Word kHighest = static_cast<Word>(~0u >> 1);
  static constexpr unsigned kNobody = kMost;
  static_assert(kMost <= static_cast<unsigned>(kHighest));

  enum class Answer : uint8_t { Taken, None, LookAgain };

  /// Takes one from the count, if it is positive.
  Answer take(Word& word) {
    const Word seen = load(word);
    if (seen <= 0) return Answer::None;
    return replace(word, seen, seen - 1) ? Answer::Taken : Answer::LookAgain;
  }

  /// As take(). If the count is not positive, waiter `number` joins the end of the queue, and the
  /// answer is None.
  Answer take_or_wait(Word& word, unsigned number, Who who) {
    const Word seen = load(word);
    if (seen > 0) return replace(word, seen, seen - 1) ? Answer::Taken : Answer::LookAgain;
    Waiter& self = waiters_[number];
    const unsigned first = leader(word, seen);
    if (first != kNobody) {
      link_before(first, number);
    } else {
      if (!replace(word, seen, ~static_cast<Word>(number))) return Answer::LookAgain;
      self.next = self.previous = static_cast<uint16_t>(number);
    }
    self.leads = first == kNobody;
    self.who = who;
    self.word = &word;
    return Answer::None;
  }

  struct Given {
    bool done;        // false: call again
    unsigned number;  // the waiter that got it, and waits no longer; kNobody: the count got it
  };

  /// Gives one to the thread that has waited longest at the word. If there is none, adds one to the
  /// count, up to kHighest.
  Given give(Word& word) {
    const Word seen = load(word);
    const unsigned first = leader(word, seen);
    if (first != kNobody) {
      Waiter& self = waiters_[first];
      unlink(self);
      self.word = nullptr;
      hand_on(word, self, first);
      return {true, first};
    }
    const Word counted = seen < 0 ? 1 : seen == kHighest ? seen : seen + 1;
    return {replace(word, seen, counted), kNobody};
  }

  bool waits(unsigned number) const { return waiters_[number].word != nullptr; }
  Who who(unsigned number) const { return waiters_[number].who; }

  /// Waiter `number` stops waiting. Afterwards its word is not used any more.
  void leave(unsigned number) {
    Waiter& self = waiters_[number];
    Word& word = *self.word;
    unlink(self);
    self.word = nullptr;
    if (!self.leads) return;
    if (load(word) == ~static_cast<Word>(number)) {
      hand_on(word, self, number);
    } else if (self.next != number) {  // the sketch has overwritten the word
      waiters_[self.next].leads = true;
    }
  }

 private:
  struct Waiter {
    Word* word;  // null: it does not wait
    Who who;
    uint16_t next, previous;
    bool leads;
  };

  static Word load(const Word& word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }
  /// One attempt, which may fail spuriously.
  static bool replace(Word& word, Word seen, Word wanted) {
    return __atomic_compare_exchange_n(&word, &seen, wanted, /*weak=*/true, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
  }

  /// The leader of the queue of `word`, whose value was `seen`; kNobody if it has no queue.
  unsigned leader(const Word& word, Word seen) const {
    const auto number = static_cast<unsigned>(~seen);  // for a count: far too large
    if (number >= kMost) return kNobody;
    const Waiter& first = waiters_[number];
    return first.word == &word && first.leads ? number : kNobody;
  }

  void unlink(const Waiter& self) {
    waiters_[self.next].previous = self.previous;
    waiters_[self.previous].next = self.next;
  }

  /// Waiter `number` has led the queue and left it. The word now names the waiter behind it, or is
  /// 0.
  void hand_on(Word& word, const Waiter& self, unsigned number) {
    Word next = 0;
    if (self.next != number) {
      waiters_[self.next].leads = true;
      next = ~static_cast<Word>(self.next);
    }
    __atomic_store_n(&word, next, __ATOMIC_RELEASE);
  }

  void link_before(unsigned first, unsigned number) {
    Waiter& self = waiters_[number];
    self.next = static_cast<uint16_t>(first);
    self.previous = waiters_[first].previous;
    waiters_[self.previous].next = waiters_[first].previous = static_cast<uint16_t>(number);
  }

  Waiter waiters_[kMost] = {};
};

}  // namespace hocket
