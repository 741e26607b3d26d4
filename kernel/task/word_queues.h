// Who waits at which word of a sketch's memory: the waiting side of counting semaphores.
//
// A word that is not negative is a count, which a sketch changes by itself. While somebody waits at
// it, it is ~n, n the number of who has waited longest; only the kernel changes it then. So a queue
// is found without a search, and there are as many as there are words:
//
//     word = ~7  ──▶  [7, leads] ⇄ [2] ⇄ [5] ⇄ (7)      all say that they wait at this word
//
// Nothing of this is believed: the sketch can write to its words whenever it likes. A word that
// names nobody who leads the queue of this very word has no queue; those that the sketch forgets so
// wait until their time is over, and nobody else is harmed. All else is the kernel's own memory.
//
// Invariant: nothing here loops, whatever others write meanwhile; a word that changes under our
// hands is answered with LookAgain. The caller holds one lock for all queues, interrupts masked.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// Waiters have the numbers 0 … kMost-1; each waits at one word at most. `Who` is what the caller
/// keeps of each of them.
template <unsigned kMost, class Who>
class WordQueues {
 public:
  using Word = int;  // what a Semaphore's count is on this processor
  static constexpr Word kHighest = static_cast<Word>(~0u >> 1);
  static constexpr unsigned kNobody = kMost;
  static_assert(kMost <= static_cast<unsigned>(kHighest));

  enum class Answer : uint8_t { Taken, None, LookAgain };

  /// Takes one from the count, if there is one.
  Answer take(Word& word) {
    const Word seen = load(word);
    if (seen <= 0) return Answer::None;
    return replace(word, seen, seen - 1) ? Answer::Taken : Answer::LookAgain;
  }

  /// As take(), but where there is none `number` waits from now on, behind all others (None).
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
    bool done;        // false: look again
    unsigned number;  // who has it, and waits no longer; kNobody: the count
  };

  /// Gives one: to who waits longest at the word, else to the count (where it is lost at the
  /// highest).
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

  /// Somebody who waits does no longer. Of the word nothing is used afterwards.
  void leave(unsigned number) {
    Waiter& self = waiters_[number];
    Word& word = *self.word;
    unlink(self);
    self.word = nullptr;
    if (!self.leads) return;
    if (load(word) == ~static_cast<Word>(number)) {
      hand_on(word, self, number);
    } else if (self.next != number) {  // the sketch has written something else there
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
  /// One attempt, which may fail for no reason.
  static bool replace(Word& word, Word seen, Word wanted) {
    return __atomic_compare_exchange_n(&word, &seen, wanted, /*weak=*/true, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
  }

  /// Who leads the queue of the word, that had this value; kNobody: it has none.
  unsigned leader(const Word& word, Word seen) const {
    const auto number = static_cast<unsigned>(~seen);  // of a count: far too large
    if (number >= kMost) return kNobody;
    const Waiter& first = waiters_[number];
    return first.word == &word && first.leads ? number : kNobody;
  }

  void unlink(const Waiter& self) {
    waiters_[self.next].previous = self.previous;
    waiters_[self.previous].next = self.next;
  }

  /// The word names the one behind `number`, who led its queue and is in it no longer, or nobody.
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
