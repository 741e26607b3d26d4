// The refill list of a sporadic server: what a virtual CPU may still consume, and from when on.
//
// Sources: Sprunt, Sha, Lehoczky 1989 (sporadic server); Stanovich, Baker, Wang, Harbour, «Defects
// of the POSIX sporadic server and how to correct them», RTAS 2010 (why a list, why an overrun is
// carried); Danish, Li, West, «Virtual-CPU scheduling in the Quest operating system», RTAS 2011
// (its use here).
//
// Invariants, checked after every change in checked builds:
//   - the amounts add up to the budget C, and each is more than 0;
//   - refills are in order of time and do not overlap: refill[i].time + refill[i].amount ≤
//   refill[i+1].time.
//
//   now ──┐
//   ──────┼───[head: 3]────────────[2]──────────[tail: 5]──▶ time       C = 10
//         └ the head can be used once its time has come; what is used returns one period after it.
#pragma once

#include "kernel/base/time.h"

namespace hocket {

template <class Rep, unsigned kCapacity>
class RefillList {
 public:
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  static_assert(kCapacity >= 2, "a sporadic server needs at least two refills");

  struct Refill {
    Instant time;
    Duration amount;
  };

  /// The whole budget, usable from `start` on. Refills smaller than `minimum` are joined to others,
  /// and at most `limit` are kept (1 … kCapacity).
  void reset(Duration budget, Duration period, Instant start, Duration minimum,
             unsigned limit = kCapacity) {
    budget_ = budget;
    period_ = period;
    minimum_ = minimum;
    limit_ = static_cast<uint8_t>(limit);
    wait_limit_ = budget < period ? limit_ : 0;
    first_ = 0;
    count_ = 1;
    front() = {start, budget};
    check();
  }

  Duration budget() const { return budget_; }
  Duration period() const { return period_; }
  unsigned count() const { return count_; }
  const Refill& operator[](unsigned i) const { return refill_[index(i)]; }
  const Refill& head() const { return refill_[first_]; }
  /// Charging a part of the head now and the rest later comes to the same as charging both later:
  /// the list has room for what the part returns, and that does not touch the head itself.
  bool may_wait() const { return count_ < wait_limit_; }
  bool usable(Instant now) const { return head().time <= now; }

  /// Where the refills, and the index of the head, are in an object: for tools that look into a
  /// kernel's memory from outside.
  static consteval unsigned place_of_refills() { return __builtin_offsetof(RefillList, refill_); }
  static consteval unsigned place_of_first() { return __builtin_offsetof(RefillList, first_); }

  /// Accounts for `used` of execution since the head was last charged. True when the head ran out.
  ///
  /// What was used comes back one period after the time of the refill it was taken from. Execution
  /// beyond the head (the timer was late) is taken from later refills, even from those whose time
  /// has not come: they pay for it, so the budget is never exceeded in the long run.
  HOCKET_IN_LINE bool charge(Duration used) {
    bool ran_out = false;
    while (used >= head().amount) {
      used -= head().amount;
      Refill returned = head();
      returned.time += period_;
      pop();
      append(returned);
      ran_out = true;
    }
    if (used > Duration(0)) {
      const Refill returned{head().time + period_, used};
      front().time += used;
      front().amount -= used;
      append(returned);
    }
    check();
    return ran_out;
  }

  /// Joins heads that are too small to be worth a dispatch to what follows them. The joined budget
  /// becomes usable so late that it does not overlap what follows: nothing is gained by it.
  HOCKET_IN_LINE void merge_small_head() {
    while (head().amount < minimum_ && count_ > 1) {
      const Duration small = head().amount;
      pop();
      front().time -= small;
      front().amount += small;
    }
    check();
  }

  /// The server becomes ready at `at`. Budget that has been usable for a while counts from now on,
  /// and the refills that this makes contiguous are joined.
  HOCKET_IN_LINE void unblock(Instant at) {
    if (head().time >= at) return;
    front().time = at;
    while (count_ > 1 && refill_[index(1)].time <= head().time + head().amount) {
      const Refill joined{head().time, head().amount + refill_[index(1)].amount};
      pop();
      front() = joined;
    }
    check();
  }

 private:
  Refill& front() { return refill_[first_]; }
  Refill& tail() { return refill_[index(count_ - 1)]; }

  unsigned index(unsigned i) const {
    const unsigned position = first_ + i;
    return position >= kCapacity ? position - kCapacity : position;
  }

  void pop() {
    first_ = static_cast<uint8_t>(index(1));
    --count_;
  }

  /// Adds a refill at the end, joining it to the tail when they touch. When the list is full the
  /// tail is delayed until they touch: safe for everybody else, at the price of a little service.
  void append(const Refill& refill) {
    if (count_ > 0) {
      Refill& last = tail();
      const bool touches = last.time + last.amount >= refill.time;
      if (touches || count_ == limit_) {
        if (!touches) last.time = refill.time - last.amount;
        last.amount += refill.amount;
        return;
      }
    }
    ++count_;
    tail() = refill;
  }

  void check() const {
#ifdef HOCKET_CHECKED
    Duration sum{};
    for (unsigned i = 0; i < count_; ++i) {
      const Refill& refill = refill_[index(i)];
      HOCKET_CHECK(refill.amount > Duration(0));
      sum += refill.amount;
      if (i > 0) {
        const Refill& before = refill_[index(i - 1)];
        HOCKET_CHECK(before.time + before.amount <= refill.time);
      }
    }
    HOCKET_CHECK(sum == budget_);
#endif
  }

  Refill refill_[kCapacity];
  Duration budget_;
  Duration period_;
  Duration minimum_;
  uint8_t first_ = 0;
  uint8_t count_ = 0;
  uint8_t limit_ = kCapacity;
  uint8_t wait_limit_ = kCapacity;  // may_wait() with fewer than this
};

}  // namespace hocket
