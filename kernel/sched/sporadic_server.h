// The sporadic server: how much a virtual CPU may still consume, and from which instant on. All
// times are in ticks of the port's clock. The scheduler calls these functions with the core locked.
//
// Sources: Sprunt, Sha, Lehoczky 1989 (sporadic server); Stanovich, Baker, Wang, Harbour, "Defects
// of the POSIX sporadic server and how to correct them", RTAS 2010 (why a list, why an overrun is
// carried); Danish, Li, West, "Virtual-CPU scheduling in the Quest operating system", RTAS 2011
// (its use here); docs/decisions/who-pays.md (rules 6 to 8: which refills are joined, and what that
// costs).
//
// Invariants, checked after every change in checked builds:
//   - the amounts add up to the budget, and each is more than 0;
//   - refills are ordered by time and do not overlap;
//   - the whole budget is back one period after the head's time, if the budget is at most a period.
// docs/decisions/proving-the-server.md and tests/symbolic prove, for all valid states, that each
// operation keeps these invariants and follows the rules.
//
//   now ──┐
//   ──────┼───[head: 3]────────────[2]──────────[tail: 5]──▶ time       budget = 10
//         └ the head is usable once its time has come; what is used returns one period after it.
//
// While the owner runs, is preempted or sleeps for a short time, its use of the head is kept as one
// number (`consumed_`). It becomes a refill when the head ends. An owner that wakes again continues
// as if it had consumed that amount just before it woke:
//
//   ran ▓▓▓        ▓▓  wakes at t           ──▶         ▓▓▓▓▓│ continues at t
//   head.time                                           head.time = t − consumed
//
// This moves consumption to a later time, so the budget returns later than it could, which is safe
// for all other entities. When these moves add up to more than period / 2^kSpread, or when more
// than half a period has been consumed, the consumption is recorded as a refill first.
#pragma once

#include "kernel/base/short_row.h"
#include "kernel/base/time.h"
#include "kernel/base/wide_product.h"

namespace hocket {

/// Types for the loss of delaying an amount by a time, which is only ever compared. Both factors
/// are clamped to half a word; on a small processor they are counted in units of 256 and 16 ticks.
/// This is a template because tests/symbolic uses ticks that are terms of a solver and specialises
/// it.
template <class Rep>
struct LossUnits {
  using Area = ChosenType<kCircularTime<Rep>, uint32_t, uint64_t>;
  using Factor = ChosenType<kCircularTime<Rep>, uint16_t, uint32_t>;
};

/// `kOverrunApart`: the part of an overrun that is taken from a future refill is not joined to what
/// returns before it. The rest of the budget then returns one period after the owner stopped
/// (docs/decisions/interrupts-on-a-budget.md, "Delay of an edge").
template <class Rep, unsigned kCapacity, bool kOverrunApart = false>
class SporadicServer {
 public:
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  static_assert(kCapacity >= 2, "a sporadic server needs at least two refills");
  static constexpr bool kLimited = true, kAlwaysUsable = false, kServesIo = false;
  /// Short sleeps are joined up to period / 2^kSpread. A short list fills up sooner and is
  /// therefore joined more coarsely.
  static constexpr unsigned kSpread = kCapacity <= 3 ? 5 : kCapacity < 8 ? 6 : 8;

  /// Whether the list is short, on a small processor. The operations are then shorter too: a head
  /// that returns whole is handled first, a rest that is not worth an activation counts as used,
  /// and one crumb is joined at a time.
  static constexpr bool kFew = kCircularTime<Rep> && kCapacity <= 3 && !kOverrunApart;

  struct Refill {
    Instant time;
    Duration amount;
  };

  /// Sets the whole budget, usable from `start` on. The server keeps at most `limit` refills (2 to
  /// kCapacity). A server with a capacity of 3 or fewer ignores `limit`.
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
  /// The whole budget, used or not.
  Duration whole() const { return budget(); }
  uint8_t count() const { return refill_.count(); }
  const Refill& operator[](unsigned i) const { return refill_[i]; }

  /// The instant from which the head is usable, in the past or the future.
  Instant time() const { return refill_.front().time; }
  bool usable(Instant now) const { return time() <= now; }
  /// What is left of the head. Negative after an overrun.
  Duration rest() const { return refill_.front().amount - consumed_; }
  Duration consumed() const { return consumed_; }

  /// Charges `used` to the head. An overrun is carried: later refills pay for it, even before their
  /// time has come, so the budget is never exceeded for long.
  void consume(Duration used) {
    HOCKET_CHECK(used >= Duration(0));
    consumed_ += used;
  }

  /// The stopped owner becomes ready at `at`. Budget that has been usable for a while counts from
  /// `at` on, and refills that become contiguous are joined. Returns whether the head is usable. In
  /// the usual case the head moves a little and stays clear of the next refill.
  [[gnu::always_inline]] bool unblock(Instant at) {
    // stop() has recorded what ended the head, and leaves at most half a period to be moved.
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

  /// The time of the head that unblock(at) would produce, without changing the server. The owner
  /// sleeps until `at`.
  Instant time_after(Instant at) const {
    const Instant start = at - consumed_;
    if (start <= time()) return time();
    if (start <= latest_) return start;
    const bool stays_one =
        start <= origin_ + Duration(period_.ticks() >> kSpread) && may_stay_one();
    return stays_one ? start : at;
  }

  /// unblock(), which a build for size compiles out of line: for callers that need no speed.
  HOCKET_STEP bool unblock_unhurried(Instant at) { return unblock(at); }

  /// Counts a rest of at most `least` as used, so it returns together with the refill of which it
  /// was part. If it were joined to the next refill instead, the owner would begin earlier in every
  /// period.
  HOCKET_IN_LINE void use_up(Duration least) {
    if (rest() > Duration(0) && rest() <= least) consume(rest());
  }

  /// The owner stops, or has used up the head. If that ends the head, its consumption is recorded
  /// as a refill, and a rest of less than `smallest` is joined to the next refill. The joined
  /// budget becomes usable so late that it does not overlap what follows, so the owner gains
  /// nothing. Returns true if the consumption was recorded.
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

  /// Call this after the owner has used up a head, while the next head is not usable yet. Joins a
  /// crumb to the refill after it if that loses less than the activation that the crumb would cost
  /// in every period. A short list joins one crumb per call, to keep decisions short; the next one
  /// is joined when that head has ended.
  HOCKET_APART void join_crumbs(Duration activation) {
    // A lock that was held in idle time may have consumed part of a future head. Such a head has
    // not been moved, because waking moves a head only to an instant that has passed. If it had
    // been moved, joining would lose how far.
    HOCKET_CHECK(consumed_ == Duration(0) || origin_ == time());
    if (count() == 1) return;
    const Area worth = area(period_ - budget(), activation);
    while (count() > 1 && loss(refill_.front(), refill_[1]) < worth) {
      join_head();
      if constexpr (kFew) return;
    }
  }

  /// For a server whose period is 0: what was used returns at once.
  void forget_used() {
    HOCKET_CHECK(period_ == Duration(0));
    consumed_ = Duration(0);
  }

  /// On a circular clock, for a stopped owner: moves instants of the past to `now` before they
  /// would look like future ones. The consumption is recorded and not moved, because a moved refill
  /// would return too late for the owner's next job.
  void refresh(Instant now) {
    put_down();
    unblock_unhurried(now);
  }

  /// The offset of the refills in this object, for tools that read a kernel's memory from outside.
  /// The refills are contiguous; the first one is the head.
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
  struct Cheapest {  // of the pairs of neighbours behind the head, in a full list
    uint8_t pair;    // the index of its earlier refill; 0: there is none
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
  /// The loss of delaying the earlier refill until it touches the later one.
  HOCKET_APART static Area loss(const Refill& earlier, const Refill& later) {
    return area(later.time - (earlier.time + earlier.amount), earlier.amount);
  }

  /// Whether the consumption may still be moved. If more than half a period were moved, it would
  /// return too late for the next job.
  HOCKET_APART bool may_stay_one() const { return consumed_ + consumed_ <= period_; }
  Duration budget() const {
    Duration sum(0);
    for (uint8_t i = 0; i < count(); ++i) sum += refill_[i].amount;
    return sum;
  }
  /// Moves the head to `start`, beyond `latest_`, because its owner wakes at `at`. The consumption
  /// moves along or is recorded, and contiguous refills are joined.
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
  /// If everything that was consumed is back at `at`, as after a pause of a period, leaves one head
  /// with the whole budget. Recording and joining would give the same result. No refill comes later
  /// than one period after the head.
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

  /// Out of line, so that the usual case of move_far() is a leaf.
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

  /// Joins the head to the refill after it.
  HOCKET_APART void join_head() {
    join_to_next(0);
    begin_head();
  }

  /// Joins refill `i` to the next one. The earlier one keeps its place in the list, so only the
  /// refills behind both are moved.
  HOCKET_APART void join_to_next(uint8_t i) {
    Refill& joined = refill_[i];
    const Refill& later = refill_[i + 1u];
    joined.time = later.time - joined.amount;
    joined.amount += later.amount;
    refill_.remove_at(i + 1u);
  }

  /// Marks the head as unused.
  void begin_head() {
    origin_ = latest_ = time();
    check();
  }

  /// What a returning refill may be joined to when the list is full.
  enum class Joins : uint8_t { Any, NotTheLast, TheLast };

  /// Records the consumption: each part returns one period after the time of the refill from which
  /// it was taken. In a short list, an overrun that has taken the whole budget more than once joins
  /// all refills. A loop that masks interrupts may overrun by many budgets, and each is then a
  /// short step.
  HOCKET_APART void put_down() {
    Duration used = consumed_;
    consumed_ = Duration(0);
    [[maybe_unused]] auto joins = Joins::Any;
    [[maybe_unused]] uint8_t parts = 0;
    while (used > Duration(0)) {
      if constexpr (kFew) {
        if (++parts > kCapacity && takes_whole_budgets(used)) break;
      }
      Refill& head = refill_.front();
      const Instant returns = head.time + period_;
      Duration part = head.amount;
      if (used < part) {
        part = used;
        head.time += part;
        head.amount -= part;
      } else {
        refill_.pop_front();
      }
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

  /// For a short list. More than the whole budget was used, and each refill has been delayed by a
  /// period. From here on they are one refill, and each budget that was used besides takes a few
  /// instructions. Returns true if nothing less than a whole budget is left.
  [[gnu::always_inline]] bool takes_whole_budgets(Duration& used) {
    while (count() > 1) join_to_next(0);
    Refill& head = refill_.front();
    for (;;) {
      const Duration more = used - head.amount;
      if (more < Duration(0)) return used == Duration(0);
      used = more;
      head.time += period_;
    }
  }

  /// append() for a list that is not full and not empty.
  HOCKET_IN_LINE void append_to_room(Instant returns, Duration amount) {
    Refill& last = refill_.back();
    if (returns <= last.time + last.amount) {
      last.amount += amount;
      return;
    }
    refill_.push_back({returns, amount});
    cheapest_.pair = kUnknown;
  }

  /// Adds a refill at the end. Joins it to the tail if they touch, or if the list is full and that
  /// loses least.
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
  /// The loss that make_room() is to assume for joining a refill to the last one.
  HOCKET_APART static Area worth(Joins joins, Area loss)
    requires kOverrunApart
  {
    return joins == Joins::Any ? loss : joins == Joins::TheLast ? 0 : ~Area{0};
  }

  /// For a full list: of all neighbours behind the head, joins the two that lose least. The loss is
  /// the amount that is delayed times its delay. Returns true if every pair would lose at least
  /// `least`, which joining the newest refill to the tail loses; nothing is joined then.
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

  /// The first of the pairs that lose least, if it loses less than `least`.
  HOCKET_IN_LINE Cheapest cheapest_pair(Area least) const {
    if constexpr (!kChosenLimit) {  // a full list has one such pair, or none
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

  /// Searches a long list when its owner stops, so that no wake-up waits for the search.
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

  Duration consumed_;  // taken from the head and not yet recorded as a refill
  ShortRow<Refill, kCapacity> refill_;
  Duration period_;
  Instant origin_;  // time of the head when its first part was consumed
  Instant latest_;  // the head may be moved up to here without a search
  [[no_unique_address]] ChosenType<kChosenLimit, Limit, NoLimit> limit_{};
  [[no_unique_address]] ChosenType<kRemembers, Cheapest, Nothing> cheapest_{};
#ifdef HOCKET_CHECKED
  Duration budget_;
#endif
};

}  // namespace hocket
