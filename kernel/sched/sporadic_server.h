// The sporadic server: what a virtual CPU may still consume, and from when on.
//
// Sources: Sprunt, Sha, Lehoczky 1989 (sporadic server); Stanovich, Baker, Wang, Harbour, «Defects
// of the POSIX sporadic server and how to correct them», RTAS 2010 (why a list, why an overrun is
// carried); Danish, Li, West, «Virtual-CPU scheduling in the Quest operating system», RTAS 2011
// (its use here); docs/decisions/who-pays.md (rules 6 to 8: what is joined, and what that costs).
//
// Invariants, checked after every change in checked builds:
//   - the amounts add up to the budget, and each is more than 0;
//   - refills are in order of time and do not overlap;
//   - all of the budget is back one period after the head (where it is not longer than that).
// That each operation keeps them, and does what the rules say, is proved for all valid states:
// docs/decisions/proving-the-server.md, tests/symbolic.
//
//   now ──┐
//   ──────┼───[head: 3]────────────[2]──────────[tail: 5]──▶ time       budget = 10
//         └ the head can be used once its time has come; what is used returns one period after it.
//
// What is used of the head is kept as one number (`consumed_`) while its owner runs, is preempted
// or sleeps for a short time, and put down as a refill when the head ends. An owner that wakes
// again goes on as if it had consumed that just before it woke:
//
//   ran ▓▓▓        ▓▓  wakes at t           ──▶         ▓▓▓▓▓│ goes on at t
//   head.time                                           head.time = t − consumed
//
// That moves consumption to a later time, so it comes back later than it could: safe for all
// others. When these moves add up to more than the period / 2^kSpread, or half a period has been
// consumed, it is put down first.
#pragma once

#include "kernel/base/short_row.h"
#include "kernel/base/time.h"
#include "kernel/base/wide_product.h"

namespace hocket {

/// What is lost by delaying an amount for a time, to be compared only: both factors are cut to half
/// a word, on a small processor in units of 256 and 16 ticks. (tests/symbolic has ticks that are
/// terms of a solver, and so are their losses.)
template <class Rep>
struct LossUnits {
  using Area = ChosenType<kCircularTime<Rep>, uint32_t, uint64_t>;
  using Factor = ChosenType<kCircularTime<Rep>, uint16_t, uint32_t>;
};

/// `kOverrunApart`: what an overrun took of a refill to come is not joined with what comes back
/// before it, so that the rest of the budget is back a period after the owner stopped
/// (docs/decisions/interrupts-on-a-budget.md, «How long an edge takes»).
template <class Rep, unsigned kCapacity, bool kOverrunApart = false>
class SporadicServer {
 public:
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  static_assert(kCapacity >= 2, "a sporadic server needs at least two refills");
  static constexpr bool kLimited = true, kAlwaysUsable = false, kServesIo = false;
  /// How coarsely short sleeps are joined: to period / 2^kSpread. A short list fills up early.
  static constexpr unsigned kSpread = kCapacity <= 3 ? 5 : kCapacity < 8 ? 6 : 8;

  /// On a small processor the list is short, and so is what is done with it: a head that comes back
  /// whole is looked for first, a rest that is not worth an activation counts as used, and one
  /// crumb is swept at a time.
  static constexpr bool kFew = kCircularTime<Rep> && kCapacity <= 3 && !kOverrunApart;

  struct Refill {
    Instant time;
    Duration amount;
  };

  /// The whole budget, usable from `start` on; at most `limit` refills are kept (2 … kCapacity,
  /// where there are many).
  void reset(Duration budget, Duration period, Instant start, unsigned limit = kCapacity) {
    period_ = period;
#ifdef HOCKET_CHECKED
    budget_ = budget;
#endif
    consumed_ = Duration(0);
    if constexpr (kChosenLimit) limit_.most = static_cast<uint8_t>(limit);
    refill_.clear();
    refill_.push_back({start, budget});
    begin_head();
  }

  Duration period() const { return period_; }
  /// The whole budget, wherever it is.
  Duration whole() const { return budget(); }
  uint8_t count() const { return refill_.count(); }
  const Refill& operator[](unsigned i) const { return refill_[i]; }

  /// Since when the head can be used, or from when on.
  Instant time() const { return refill_.front().time; }
  bool usable(Instant now) const { return time() <= now; }
  /// What is left of the head; below 0 after an overrun.
  Duration rest() const { return refill_.front().amount - consumed_; }
  Duration consumed() const { return consumed_; }

  /// So much of the head has been used, or must be paid for. An overrun is carried: later refills
  /// pay for it, even those whose time has not come, so the budget is never exceeded for long.
  void consume(Duration used) {
    HOCKET_CHECK(used >= Duration(0));
    consumed_ += used;
  }

  /// The owner, which has stopped, becomes ready at `at`. Budget that has been usable for a while
  /// counts from then on, and the refills that this makes contiguous are joined. True: the head can
  /// be used. (Mostly the head moves a little, and stays clear of the next one.)
  [[gnu::always_inline]] bool unblock(Instant at) {
    // stop() puts down what ends the head, and does not leave more than half a period to be moved.
    HOCKET_CHECK(rest() > Duration(0));
    HOCKET_CHECK(latest_ <= time() || may_stay_one());
    const Instant start = at - consumed_;
    if (start <= time()) return usable(at);
    if (latest_ < start) {
      move_far(at, start);
    } else {
      refill_.front().time = start;
      check();
    }
    return true;
  }

  /// Where unblock(at) will leave the head, which changes nothing yet: the owner sleeps until then.
  Instant time_after(Instant at) const {
    const Instant start = at - consumed_;
    if (start <= time()) return time();
    if (start <= latest_) return start;
    const bool stays_one =
        start <= origin_ + Duration(period_.ticks() >> kSpread) && may_stay_one();
    return stays_one ? start : at;
  }

  /// The same, for who is not in a hurry.
  HOCKET_STEP bool unblock_unhurried(Instant at) { return unblock(at); }

  /// A rest that is not more than `least` counts as used: it comes back with what it was part of.
  /// (Joined to the next refill, it would have the owner begin earlier in every period.)
  HOCKET_IN_LINE void use_up(Duration least) {
    if (rest() > Duration(0) && rest() <= least) consume(rest());
  }

  /// The owner stops, or has used the head up: what it consumed is put down if that ends the head,
  /// and a rest that is less than `smallest` waits for what follows it. The joined budget becomes
  /// usable so late that it does not overlap what follows: nothing is gained by it. True: it was
  /// put down.
  HOCKET_IN_LINE bool stop(Duration smallest) {
    const Duration left = rest();
    if (left < smallest) {
      if constexpr (kFew) {
        if (left > Duration(0)) consumed_ += left;
      }
      end_head(smallest);
      return true;
    }
    if (consumed_ == Duration(0) || !may_stay_one()) latest_ = time();
    if constexpr (kRemembers) {
      if (cheapest_.pair == kUnknown) look_for_cheapest();
    }
    return false;
  }

  /// The owner has used up a head, and the next one's time has not come: a crumb is joined to what
  /// follows it where that loses less than the activation that it would cost in every period. (Of
  /// few one each time, for a decision is not to be longer: the next one when that head has ended.)
  HOCKET_APART void join_crumbs(Duration activation) {
    // A lock in idle time may have taken something of a head to come. That has not been moved:
    // waking moves a head to what has passed, and how far it did would be forgotten here.
    HOCKET_CHECK(consumed_ == Duration(0) || origin_ == time());
    if (count() == 1) return;
    const Area worth = area(period_ - budget(), activation);
    while (count() > 1 && loss(refill_.front(), refill_[1]) < worth) {
      join_head();
      if constexpr (kFew) return;
    }
  }

  /// Where the period is 0, what was used is back at once.
  void forget_used() {
    HOCKET_CHECK(period_ == Duration(0));
    consumed_ = Duration(0);
  }

  /// On a circular clock, for an owner that wants nothing: instants of the past become present ones
  /// before they look like future ones. (What was consumed is put down, not moved: it would come
  /// back too late for the owner's next job.)
  void refresh(Instant now) {
    put_down();
    unblock_unhurried(now);
  }

  /// Where the refills are in an object, for tools that look into a kernel's memory from outside:
  /// in a row, the first one is the head.
  static consteval unsigned place_of_head()
    requires kCircularTime<Rep>
  {
    return __builtin_offsetof(SporadicServer, refill_);
  }

 protected:
  using Area = typename LossUnits<Rep>::Area;
  using Factor = typename LossUnits<Rep>::Factor;
  static constexpr bool kRemembers = kCapacity >= 8;
  static constexpr uint8_t kUnknown = 0xff;
  struct Cheapest {  // of a full list's pairs behind the head
    uint8_t pair;    // 0: there is none
    Area loss;
  };
  struct Nothing {};
  struct Limit {
    uint8_t most = kCapacity;
  };
  struct NoLimit {};
  static constexpr bool kChosenLimit = kCapacity > 3;
  bool full() const {
    if constexpr (kChosenLimit) return count() == limit_.most;
    return count() == kCapacity;
  }
  HOCKET_APART static Area area(Duration time, Duration amount) {
    constexpr bool kSmall = kCircularTime<Rep>;
    return wide_product<Area>(factor<kSmall ? 8 : 0>(time), factor<kSmall ? 4 : 0>(amount));
  }
  template <uint8_t kShift>
  [[gnu::always_inline]] static Factor factor(Duration duration) {
    const Area units = static_cast<Area>(duration.ticks()) >> kShift;
    constexpr auto kMost = static_cast<Factor>(~Factor{0});
    return units > kMost ? kMost : static_cast<Factor>(units);
  }
  /// Of delaying the earlier one until it touches the later one.
  HOCKET_APART static Area loss(const Refill& earlier, const Refill& later) {
    return area(later.time - (earlier.time + earlier.amount), earlier.amount);
  }

  /// (What is more than half a period would come back too late for the next job.)
  HOCKET_APART bool may_stay_one() const { return consumed_ + consumed_ <= period_; }
  Duration budget() const {
    Duration sum(0);
    for (uint8_t i = 0; i < count(); ++i) sum += refill_[i].amount;
    return sum;
  }
  /// The head moves to `start` because its owner wakes at `at`, farther than has been looked at:
  /// what was consumed moves along or is put down, and contiguous refills are joined.
  HOCKET_ASIDE void move_far(Instant at, Instant start) {
    Refill& head = refill_.front();
    const Duration spread(period_.ticks() >> kSpread);
    latest_ = origin_ + spread;
    if (latest_ < start || !may_stay_one()) {
      if constexpr (kFew) {
        if (comes_back_whole(at)) return;
      }
      const Instant returns = head.time + period_;
      const Duration used = consumed_;
      consumed_ = Duration(0);
      head.time = at;
      head.amount -= used;
      if constexpr (kRemembers) {
        if (used != Duration(0) && full()) return move_far_in_full(at, returns, used);
        if (used != Duration(0)) append_to_room(returns, used);
      } else {
        if (used != Duration(0)) append(returns, used);
      }
    } else {
      head.time = start;
    }
    after_move(at, spread);
  }
  /// Whether all that was consumed is back by then, as after a pause of a period: one head is left,
  /// which is what putting down and joining would come to. (No refill comes later than a period
  /// after the head.)
  HOCKET_STEP bool comes_back_whole(Instant at)
    requires kFew
  {
    Refill& head = refill_.front();
    if (at < head.time + period_) return false;
    HOCKET_CHECK(refill_.back().time <= at);
    if (count() > 1) head.amount += refill_[1].amount;
    if (count() > 2) head.amount += refill_[kCapacity - 1].amount;
    refill_.keep_front();
    consumed_ = Duration(0);
    head.time = at;
    begin_head();
    return true;
  }

  /// (Apart: the usual case calls nothing.)
  HOCKET_ASIDE void move_far_in_full(Instant at, Instant returns, Duration used) {
    append(returns, used);
    after_move(at, Duration(period_.ticks() >> kSpread));
  }
  [[gnu::always_inline]] void after_move(Instant at, Duration spread) {
    Refill& head = refill_.front();
    if (consumed_ == Duration(0)) {
      origin_ = at;
      latest_ = at + spread;
    }
    while (count() > 1) {
      const Instant clear = refill_[1].time - head.amount;
      if (head.time < clear) {
        latest_ = smaller(latest_, clear - Duration(1));
        break;
      }
      head.amount += refill_[1].amount;
      refill_.remove_at(1);
    }
    check();
  }

  HOCKET_ASIDE void end_head(Duration smallest) {
    put_down();
    while (refill_.front().amount < smallest && count() > 1) join_head();
  }

  /// The head waits for what follows it.
  HOCKET_APART void join_head() {
    join_to_next(0);
    begin_head();
  }

  /// (The earlier one stays in its place: no more than what is behind both moves up.)
  HOCKET_APART void join_to_next(uint8_t i) {
    Refill& joined = refill_[i];
    const Refill& later = refill_[i + 1u];
    joined.time = later.time - joined.amount;
    joined.amount += later.amount;
    refill_.remove_at(i + 1u);
  }

  /// Nothing of the head has been consumed.
  void begin_head() {
    origin_ = latest_ = time();
    check();
  }

  /// Where what comes back may be joined to, if there is no room.
  enum class Joins : uint8_t { Any, NotTheLast, TheLast };

  /// What was consumed comes back one period after the time of the refill it was taken from.
  HOCKET_APART void put_down() {
    Duration used = consumed_;
    consumed_ = Duration(0);
    [[maybe_unused]] auto joins = Joins::Any;
    while (used > Duration(0)) {
      Refill& head = refill_.front();
      const Instant returns = head.time + period_;
      const Duration part = smaller(used, head.amount);
      head.time += part;
      head.amount -= part;
      if (head.amount == Duration(0)) refill_.pop_front();
      used -= part;
      if constexpr (kOverrunApart) {
        append(returns, part, joins);
        joins = joins == Joins::Any ? Joins::NotTheLast : Joins::TheLast;
      } else {
        append(returns, part);
      }
    }
    begin_head();
  }

  /// append() where the list is not full and has a refill.
  HOCKET_IN_LINE void append_to_room(Instant returns, Duration amount) {
    Refill& last = refill_.back();
    if (returns <= last.time + last.amount) {
      last.amount += amount;
      return;
    }
    refill_.push_back({returns, amount});
    cheapest_.pair = kUnknown;
  }

  /// Adds a refill at the end, joining it to the tail when they touch, or lose least.
  HOCKET_STEP void append(Instant returns, Duration amount, Joins joins = Joins::Any) {
    if (count() > 0) {
      Refill& last = refill_.back();
      const Duration gap = returns - (last.time + last.amount);
      if (gap <= Duration(0)) {
        last.amount += amount;
        return;
      }
      if (full() && make_room(worth(joins, area(gap, last.amount)))) {
        last.time += gap;
        last.amount += amount;
        if constexpr (kRemembers) {
          if (cheapest_.pair + 2 == count()) cheapest_.pair = kUnknown;  // its gap has grown
        }
        return;
      }
    }
    refill_.push_back({returns, amount});
    if constexpr (kRemembers) cheapest_.pair = kUnknown;
  }

  [[gnu::always_inline]] static Area worth(Joins, Area loss)
    requires(!kOverrunApart)
  {
    return loss;
  }
  /// What joining a refill to the last one counts for.
  HOCKET_APART static Area worth(Joins joins, Area loss)
    requires kOverrunApart
  {
    return joins == Joins::Any ? loss : joins == Joins::TheLast ? 0 : ~Area{0};
  }

  /// The list is full: of all neighbours behind the head, joins the two that lose least, which is
  /// the amount that is delayed times how long. True: that would be more than `newest`, which
  /// joining the newest one loses.
  HOCKET_APART bool make_room(Area least) {
    uint8_t best = 0;
    if constexpr (kRemembers) {
      if (cheapest_.pair == kUnknown) look_for_cheapest();
      if (cheapest_.loss < least) best = cheapest_.pair;
    } else {
      best = cheapest_pair(least).pair;
    }
    if (best == 0) return true;
    join_to_next(best);
    return false;
  }

  /// The first of those that lose least, if that is less than `least`.
  HOCKET_IN_LINE Cheapest cheapest_pair(Area least) const {
    if constexpr (!kChosenLimit) {  // full: there is one, or none
      const Area loses = kCapacity > 2 ? loss(refill_[1], refill_[kCapacity - 1]) : least;
      return {loses < least, least};
    }
    uint8_t best = 0;
#pragma clang loop unroll(disable)
    for (uint8_t i = 1; i + 1 < count(); ++i) {
      const Area loses = loss(refill_[i], refill_[i + 1]);
      if (loses >= least) continue;
      least = loses;
      best = i;
    }
    return {best, least};
  }

  /// A long list is looked through where its owner stops, so that no wake-up waits for it.
  HOCKET_ASIDE void look_for_cheapest() {
    cheapest_ = full() ? cheapest_pair(~Area{0}) : Cheapest{0, 0};
  }

  void check() const {
#ifdef HOCKET_CHECKED
    for (unsigned i = 0; i < count(); ++i) {
      const Refill& refill = refill_[i];
      HOCKET_CHECK(refill.amount > Duration(0));
      if (i > 0) {
        const Refill& before = refill_[i - 1];
        HOCKET_CHECK(before.time + before.amount <= refill.time);
      }
    }
    HOCKET_CHECK(budget() == budget_);
    const Refill& last = refill_[count() - 1u];
    HOCKET_CHECK(period_ < budget_ || last.time + last.amount - period_ <= time());
#endif
  }

  Duration consumed_;  // of the head, not yet put down
  ShortRow<Refill, kCapacity> refill_;
  Duration period_;
  Instant origin_;  // where the head was when something of it was consumed first
  Instant latest_;  // so far it may be moved without looking
  [[no_unique_address]] ChosenType<kChosenLimit, Limit, NoLimit> limit_{};
  [[no_unique_address]] ChosenType<kRemembers, Cheapest, Nothing> cheapest_{};
#ifdef HOCKET_CHECKED
  Duration budget_;
#endif
};

}  // namespace hocket
