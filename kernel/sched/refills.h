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

#include "kernel/base/short_queue.h"
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
    refill_.clear();
    refill_.push_back({start, budget});
    check();
  }

  Duration budget() const { return budget_; }
  Duration period() const { return period_; }
  unsigned count() const { return refill_.count(); }
  const Refill& operator[](unsigned i) const { return refill_[i]; }
  const Refill& head() const { return refill_.front(); }
  /// Charging a part of the head now and the rest later comes to the same as charging both later:
  /// the list has room for what the part returns, and that does not touch the head itself.
  bool may_wait() const { return count() < wait_limit_; }
  bool usable(Instant now) const { return head().time <= now; }

  /// Where the refills are in an object, for tools that look into a kernel's memory from outside:
  /// in a row, the first one is the head.
  static consteval unsigned place_of_head()
    requires kCircularTime<Rep>
  {
    return __builtin_offsetof(RefillList, refill_);
  }

  /// Accounts for `used` of execution since the head was last charged. True when the head ran out.
  ///
  /// What was used comes back one period after the time of the refill it was taken from. Execution
  /// beyond the head (the timer was late) is taken from later refills, even from those whose time
  /// has not come: they pay for it, so the budget is never exceeded in the long run.
  HOCKET_IN_LINE bool charge(Duration used) {
    bool ran_out = false;
    while (used > Duration(0)) {
      Refill returned{head().time + period_, head().amount};
      if (used >= returned.amount) {
        refill_.pop_front();
        ran_out = true;
      } else {
        returned.amount = used;
        refill_.front().time += used;
        refill_.front().amount -= used;
      }
      append(returned);
      used -= returned.amount;
    }
    check();
    return ran_out;
  }

  /// Joins heads that are too small to be worth a dispatch to what follows them. The joined budget
  /// becomes usable so late that it does not overlap what follows: nothing is gained by it.
  HOCKET_IN_LINE void merge_small_head() {
    while (head().amount < minimum_ && count() > 1) {
      const Duration small = head().amount;
      refill_.pop_front();
      refill_.front().time -= small;
      refill_.front().amount += small;
    }
    check();
  }

  /// The server becomes ready at `at`. Budget that has been usable for a while counts from now on,
  /// and the refills that this makes contiguous are joined. True when the head is usable at `at`
  /// for certain.
  HOCKET_IN_LINE bool unblock(Instant at) {
    if (head().time >= at) return false;
    refill_.front().time = at;
    if (count() > 1 && refill_[1].time <= at + head().amount) join_contiguous(at);
    check();
    return true;
  }

  /// Whether unblock(at) would make the head count from `at` on and join nothing to it; `end` is
  /// when it would be used up then. And that unblock().
  [[gnu::always_inline]] bool unblocks_alone(Instant at, Instant& end) const {
    if (!(head().time < at)) return false;
    end = at + head().amount;
    return count() == 1 || end < refill_[1].time;
  }
  [[gnu::always_inline]] void unblock_alone(Instant at) {
    refill_.front().time = at;
    check();
  }

 private:
  HOCKET_APART void join_contiguous(Instant at) {
    do {
      const Duration amount = head().amount;
      refill_.pop_front();
      refill_.front().time = at;
      refill_.front().amount += amount;
    } while (count() > 1 && refill_[1].time <= at + head().amount);
  }

  /// Adds a refill at the end, joining it to the tail when they touch. When the list is full the
  /// tail is delayed until they touch: safe for everybody else, at the price of a little service.
  void append(const Refill& refill) {
    if (count() > 0) {
      Refill& last = refill_[count() - 1];
      const bool touches = last.time + last.amount >= refill.time;
      if (touches || count() == limit_) {
        if (!touches) last.time = refill.time - last.amount;
        last.amount += refill.amount;
        return;
      }
    }
    refill_.push_back(refill);
  }

  void check() const {
#ifdef HOCKET_CHECKED
    Duration sum{};
    for (unsigned i = 0; i < count(); ++i) {
      const Refill& refill = refill_[i];
      HOCKET_CHECK(refill.amount > Duration(0));
      sum += refill.amount;
      if (i > 0) {
        const Refill& before = refill_[i - 1];
        HOCKET_CHECK(before.time + before.amount <= refill.time);
      }
    }
    HOCKET_CHECK(sum == budget_);
#endif
  }

  // Small processors have circular clocks.
  template <bool kSmall, class = void>
  struct Storage {
    using Type = ShortRing<Refill, kCapacity>;
  };
  template <class Unused>
  struct Storage<true, Unused> {
    using Type = ShortRow<Refill, kCapacity>;
  };

  typename Storage<kCircularTime<Rep>>::Type refill_;
  Duration budget_;
  Duration period_;
  Duration minimum_;
  uint8_t limit_ = kCapacity;
  uint8_t wait_limit_ = kCapacity;  // may_wait() with fewer than this
};

}  // namespace hocket
