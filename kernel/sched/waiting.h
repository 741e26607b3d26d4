// Those that wait in the timeline, what they mean for who runs, and what is known of all: the part
// of the state machine that asks. What changes is in state_machine.h, with the drawing of states.
//
//   the earliest instant        when the timer must come: of those only that would come before who
//   of those that matter        runs; an event of lower priority interrupts nothing
//   the first of those          a decision compares it with who runs and with the first of the
//   that are due                ready, and leaves all others where they are
//   set aside                   those that are due and come after who runs are not looked at twice,
//                               until another one runs (tournament.h), or
//   quiet until                 it is remembered when the next one comes that matters
#pragma once

#include "kernel/base/construct.h"
#include "kernel/sched/entity.h"
#include "kernel/sched/order.h"
#include "kernel/sched/policy.h"

namespace hocket {

template <class Rep, class Server, class Order, class Timeline, class Charges, class Observer,
          bool kHasCeilings, bool kHasBestEffort>
class Waiting {
 public:
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  using Slot = typename Order::Slot;
  using SupplyServer = Server;
  static constexpr unsigned kSlots = Order::kSlots;
  static constexpr Ranking kRanking = Order::kRanking;
  static constexpr bool kCeilings = kHasCeilings;
  static constexpr bool kBestEffort = kHasBestEffort;
  static constexpr bool kOneCore = Charges::kOneCore;
  /// Whether usual cases are looked for first: here a wake-up, in scheduler.h a timer and a stop.
  static constexpr bool kHasUsual = Order::kByRank && !Instant::kCircular;
  /// Whether a timeline has keys, by which those that wait are ordered (deadline_order.h).
  static constexpr bool kByKey = Order::kByKey;
  /// Whether nothing is kept by slot, and each that waits has the instant itself. (Who sleeps and
  /// has no budget by then is as if it slept until that comes.)
  static constexpr bool kAsks = Timeline::kAsks;
  /// Whether a decision looks through few slots, once: of those that are due the first one counts.
  static constexpr bool kLooksOnce = Order::kByRank && kAsks;
  /// Whether it moves the first one of those that are due into the queue, wherever it comes
  /// there: on a small processor that is the least code; and a lottery draws among all.
  static constexpr bool kMovesToQueue =
      (Instant::kCircular && !kLooksOnce) || (!Order::kByRank && !kByKey);
  /// Whether a decision puts the refills of one entity in order at most, which is long there.
  static constexpr bool kOneLong = kLooksOnce && Server::kFew;
  /// Or that who wakes does not come first: by deadlines it is mostly due the latest.
  static constexpr bool kUsuallyBehind = !Order::kByRank && !Instant::kCircular;
  /// Whether entities may be parts of virtual CPUs that have two (two_parts.h).
  static constexpr bool kSplits = Order::kSplits;
  static_assert(!kSplits || (!Instant::kCircular && !kHasUsual), "refresh() owns all servers");
  struct Entity
      : SchedulingEntity<Entity, Server, Order, kCeilings, kBestEffort, Observer::kObserves> {};

  // --- What is known ---

  /// Whether it must be asked again by itself, and when.
  HOCKET_IN_LINE bool next_event(Instant& when) const {
    if constexpr (!Instant::kCircular) {
      when = next_event_until(Instant::never());
      return when != Instant::never();
    } else {
      const bool charges = charging();
      if (charges) when = limit_;
      return timeline_.bound(timer_reach(), charges, when, Waiters{*this});
    }
  }

  /// The same, `latest` at the latest.
  [[gnu::always_inline]] Instant next_event_until(Instant latest) const {
    return others_until(limit_until(latest));
  }
  /// Its two parts: the limit of the running entity, and when one may come that precedes it.
  [[gnu::always_inline]] Instant limit_until(Instant latest) const {
    return charging() ? smaller(limit_, latest) : latest;
  }
  [[gnu::always_inline]] Instant others_until(Instant latest) const {
    const auto reach = timer_reach();
    if constexpr (Instant::kCircular) {
      return timeline_.earliest(reach, latest, Waiters{*this});
    } else if constexpr (kRemembersQuiet) {
      return quiet_until_ = timeline_.earliest(reach, latest);
    } else {
      return timeline_.earliest(reach, latest);
    }
  }

  /// Whether an entity is due that comes before the running one. (On a circular clock: perhaps.)
  bool due(Instant now) const {
    if (!timeline_.due(now)) return false;
    if constexpr (kMovesToQueue || kLooksOnce) return true;
    return !charging() || due_precedes(*first_due(now), *charged_);
  }

  /// Whether a ready entity that does not run could have run on.
  bool competes(const Entity& entity, Instant now) const { return eligible(entity, now); }
  static bool precedes(const Entity& a, const Entity& b) { return Order::precedes(a, b); }

  /// Whether it sleeps, or is ready and waits for its budget.
  bool waits(const Entity& entity) const { return timeline_.waits(entity.rank); }

  Entity* running() const { return charging() ? charged_ : idler_; }
  bool running_in_background() const { return idler_ != nullptr; }
  /// While an entity is charged: when it has used up what it may.
  Instant limit() const { return limit_; }

 protected:
  // --- Those that wait in the timeline ---

  /// The entity sleeps, or is ready without budget: it is due at `until`.
  HOCKET_STEP void wait(Entity& entity, Instant until) {
    if constexpr (kRemembersQuiet) quiet_until_ = smaller(quiet_until_, until);
    if constexpr (kAsks) entity.wake_at = until;
    if constexpr (kByKey && !Instant::kCircular) {
      timeline_.wait(entity.rank, key_of_waiter(entity), until);
    } else {
      timeline_.wait(entity.rank, until);
    }
  }
  /// Its place in the order from when it is ready on: that does not depend on when it is noticed.
  static auto key_of_waiter(const Entity& entity)
    requires kByKey
  {
    if constexpr (kBestEffort && !Instant::kCircular) {
      if (entity.best_effort) return Order::last_key(entity);
    }
    const bool sleeps = entity.state == Entity::State::Sleeping;
    return Order::key(entity,
                      sleeps ? entity.server.time_after(entity.wake_at) : entity.server.time());
  }

  /// Whether an entity may be due that comes before the running one, or before any if none runs: in
  /// a few instructions.
  bool may_be_due_first(Instant now) const {
    if constexpr (kSetsAside) {
      return charging() ? timeline_.newly_due(now) : timeline_.due(now);
    } else if constexpr (kRemembersQuiet) {
      return quiet_until_ <= now && timeline_.due(now);
    } else {
      return timeline_.due(now);
    }
  }
  /// With keys, an instant is remembered before which no entity becomes due that comes before the
  /// running one: it was looked for when the timer was set.
  static constexpr bool kRemembersQuiet = kByKey && !Instant::kCircular;
  /// Whether those that are due and come after the running entity are kept apart (tournament.h).
  static constexpr bool kSetsAside = Timeline::kSetsAside;

  /// What the timeline has been told.
  static Instant waits_until(const Entity& entity) {
    if constexpr (kAsks) return entity.wake_at;
    const Instant usable = entity.server.time();
    if (entity.state != Entity::State::Sleeping) return usable;
    if (!entity.background && entity.wake_at < usable) return usable;
    return entity.wake_at;
  }
  struct Waiters {
    static constexpr bool kByKey = Waiting::kByKey;
    const Waiting& machine;
    Instant until(Slot slot) const { return waits_until(at(slot)); }
    auto key(Slot slot) const
      requires kByKey
    {
      return key_of_waiter(at(slot));
    }
    /// Whether it would come before the running entity.
    bool matters(Slot slot) const
      requires kByKey
    {
      return !machine.charging() || due_precedes(at(slot), *machine.charged_);
    }

   private:
    const Entity& at(Slot slot) const { return *machine.queue_.at(slot); }
  };

  /// The first one of those that are due; the timeline has said that there is one.
  Entity* first_due(Instant now) const {
    return queue_.at(static_cast<Slot>(timeline_.first_due(now)));
  }
  static bool due_precedes(const Entity& waiter, const Entity& ready) {
    if (waiter.best_effort) return false;
    if constexpr (kByKey) {
      return key_of_waiter(waiter) < Order::key_now(ready);
    } else {
      return Order::precedes(waiter, ready);
    }
  }
  /// Whether an entity is due that comes before one that is ready.
  HOCKET_IN_LINE bool due_before(const Entity& ready, Instant now) {
    return may_be_due_before(ready, now) && due_before_at_all(ready, now);
  }
  /// In a few instructions; if so, perhaps.
  HOCKET_IN_LINE bool may_be_due_before([[maybe_unused]] const Entity& ready, Instant now) const {
    if constexpr (kSetsAside) {
      return timeline_.due_below(ready.slot, now);
    } else {
      return timeline_.due(now);
    }
  }
  /// The same of one that comes before the running one, and so before those that were set aside.
  HOCKET_IN_LINE bool due_before_first(const Entity& ready, Instant now) {
    return may_be_due_first(now) && due_before_at_all(ready, now);
  }
  HOCKET_ASIDE bool due_before_at_all(const Entity& ready, Instant now)
    requires(!kMovesToQueue && !kLooksOnce)
  {
    const Entity* const waiter = first_due(now);
    if (due_precedes(*waiter, ready)) return true;
    set_aside(*waiter);
    return false;
  }
  /// Those that are due are looked at again in the next decision.
  void ask_again() {
    forget_quiet();
    if constexpr (kSetsAside) {
      const auto slot = static_cast<Slot>(timeline_.first_aside());
      if (slot == static_cast<Slot>(Timeline::kNone)) return;
      timeline_.clear(slot);
      timeline_.wait(slot, waits_until(*queue_.at(slot)));
    }
  }
  /// (Until it is in the queue, or has been looked for, it is not known what comes first.)
  static bool due_before_at_all(const Entity&, Instant)
    requires(kMovesToQueue || kLooksOnce)
  {
    return true;
  }
  /// It is due, and comes after one that is ready.
  HOCKET_STEP void set_aside([[maybe_unused]] const Entity& waiter) {
    if constexpr (kSetsAside) timeline_.set_aside(waiter.rank);
  }

  static bool raised(const Entity& entity) { return kCeilings && entity.raised(); }
  static bool eligible(const Entity& entity, Instant now) {
    return !entity.best_effort && entity.server.usable(now);
  }

  bool charging() const { return charged_ != nullptr; }
  /// Of those that wait only they come before the running entity who are below this: a slot, or a
  /// key.
  auto timer_reach() const {
    if constexpr (kByKey && !Instant::kCircular) {
      return charging() ? Order::key_now(*charged_) : Order::Key::last();
    } else if constexpr (kByKey) {
      return Order::kAll;  // Waiters::matters() says it
    } else {
      return charging() ? Order::reach(*charged_) : Order::kAll;
    }
  }
  bool comes_first(const Entity& entity) const {
    return !charging() || Order::precedes(entity, *charged_);
  }

  /// Another entity runs from now on, or none.
  [[gnu::always_inline]] void forget_quiet() {
    if constexpr (kRemembersQuiet) quiet_until_ = Instant();
  }

  struct NoQuiet {};
  Entity* charged_ = nullptr;  // who runs, if its time is charged to a budget
  Entity* idler_ = nullptr;    // the one that runs in idle time; null: none runs
  Instant began_;              // since when who is charged has not paid
  Instant limit_;              // when it has used up what it may
  [[no_unique_address]] mutable ChosenType<kRemembersQuiet, Instant, NoQuiet> quiet_until_{};
  union {  // made by reset(), so that a core that has not begun is nothing but zeros
    char nothing_ = 0;
    TurnsFor<Entity, Server, Order> background_;
  };
  typename Order::template Queue<Entity> queue_;  // eligible, and not running
  Timeline timeline_;
};

}  // namespace hocket
