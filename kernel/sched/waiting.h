// The part of the state machine that answers questions: which entities wait in the timeline, and
// what they mean for the running entity. It also holds the state. What changes the state is in
// state_machine.h, with the drawing of states. Legal context: the core is locked.
//
//   the earliest instant        when the timer must come. Only entities that would precede the
//   of those that matter        running one count; an event of lower priority interrupts nothing.
//   the first of those          a decision compares it with the running entity and with the first
//   that are due                ready one, and leaves all others where they are
//   set aside                   due entities that come after the running one are not looked at
//                               again until another entity runs (tournament.h), or
//   quiet until                 the instant of the next one that matters is remembered
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
  /// Whether usual cases are tried first: here a wake-up, in scheduler.h a timer and a stop.
  static constexpr bool kHasUsual = Order::kByRank && !Instant::kCircular;
  /// Whether the timeline orders waiting entities by key (deadline_order.h).
  static constexpr bool kByKey = Order::kByKey;
  /// Whether the timeline stores no instants, and each waiting entity has its own. (An entity that
  /// sleeps, and has no budget when its sleep ends, counts as asleep until there is budget.)
  static constexpr bool kAsks = Timeline::kAsks;
  /// Whether a decision searches a few slots once, and only the first due entity counts.
  static constexpr bool kLooksOnce = Order::kByRank && kAsks;
  /// Whether a decision moves the first due entity into the queue, wherever it ranks there. On a
  /// small processor that is the least code, and a lottery draws among all ready entities.
  static constexpr bool kMovesToQueue =
      (Instant::kCircular && !kLooksOnce) || (!Order::kByRank && !kByKey);
  /// Whether a decision may put the refills of only one entity in order, because that is long work
  /// on a small processor.
  static constexpr bool kOneLong = kLooksOnce && Server::kFew;
  /// Whether a woken entity usually does not come first. In an order by deadlines it mostly has the
  /// latest deadline.
  static constexpr bool kUsuallyBehind = !Order::kByRank && !Instant::kCircular;
  /// Whether entities may be parts of virtual CPUs that are split (two_parts.h).
  static constexpr bool kSplits = Order::kSplits;
  static_assert(!kSplits || (!Instant::kCircular && !kHasUsual), "refresh() owns all servers");
  struct Entity
      : SchedulingEntity<Entity, Server, Order, kCeilings, kBestEffort, Observer::kObserves> {};

  // --- Queries ---

  /// Whether a decision is needed without another event, and when at the latest.
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

  /// The same, or `latest` if that is earlier.
  [[gnu::always_inline]] Instant next_event_until(Instant latest) const {
    return others_until(limit_until(latest));
  }
  /// The two parts of it: the limit of the running entity, and the earliest instant at which an
  /// entity that precedes it may become due.
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

  /// Whether an entity is due that precedes the running one. On a circular clock true means
  /// "perhaps".
  bool due(Instant now) const {
    if (!timeline_.due(now)) return false;
    if constexpr (kMovesToQueue || kLooksOnce) return true;
    return !charging() || due_precedes(*first_due(now), *charged_);
  }

  /// Whether a ready entity that does not run could have run on.
  bool competes(const Entity& entity, Instant now) const { return eligible(entity, now); }
  static bool precedes(const Entity& a, const Entity& b) { return Order::precedes(a, b); }

  /// Whether the entity sleeps, or is ready and waits for budget.
  bool waits(const Entity& entity) const { return timeline_.waits(entity.rank); }

  Entity* running() const { return charging() ? charged_ : idler_; }
  bool running_in_background() const { return idler_ != nullptr; }
  /// When the charged entity will have used up what it may. Valid while an entity is charged.
  Instant limit() const { return limit_; }

 protected:
  // --- Entities in the timeline ---

  /// The entity sleeps, or is ready without budget. It is due at `until`.
  HOCKET_STEP void wait(Entity& entity, Instant until) {
    if constexpr (kRemembersQuiet) quiet_until_ = smaller(quiet_until_, until);
    if constexpr (kAsks) entity.wake_at = until;
    if constexpr (kByKey && !Instant::kCircular) {
      timeline_.wait(entity.rank, key_of_waiter(entity), until);
    } else {
      timeline_.wait(entity.rank, until);
    }
  }
  /// Its place in the order from when it is ready on, which does not depend on when the kernel
  /// notices that.
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

  /// Whether an entity may be due that precedes the running one, or any at all if the core is idle.
  /// Takes a few instructions and may say true too often.
  bool may_be_due_first(Instant now) const {
    if constexpr (kSetsAside) {
      return charging() ? timeline_.newly_due(now) : timeline_.due(now);
    } else if constexpr (kRemembersQuiet) {
      return quiet_until_ <= now && timeline_.due(now);
    } else {
      return timeline_.due(now);
    }
  }
  /// With keys, the policy remembers an instant before which no entity becomes due that precedes
  /// the running one. It is found when the timer is set.
  static constexpr bool kRemembersQuiet = kByKey && !Instant::kCircular;
  /// Whether due entities that come after the running one are kept apart (tournament.h).
  static constexpr bool kSetsAside = Timeline::kSetsAside;

  /// The instant that the timeline has for the entity.
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
    /// Whether the entity would precede the running one.
    bool matters(Slot slot) const
      requires kByKey
    {
      return !machine.charging() || due_precedes(at(slot), *machine.charged_);
    }

   private:
    const Entity& at(Slot slot) const { return *machine.queue_.at(slot); }
  };

  /// The first of the due entities. There must be one.
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
  /// Whether an entity is due that precedes a ready one.
  HOCKET_IN_LINE bool due_before(const Entity& ready, Instant now) {
    return may_be_due_before(ready, now) && due_before_at_all(ready, now);
  }
  /// A quick test for due_before(): false is exact, true means "perhaps".
  HOCKET_IN_LINE bool may_be_due_before([[maybe_unused]] const Entity& ready, Instant now) const {
    if constexpr (kSetsAside) {
      return timeline_.due_below(ready.slot, now);
    } else {
      return timeline_.due(now);
    }
  }
  /// due_before() for a ready entity that precedes the running one, and so precedes those set
  /// aside.
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
  /// Due entities are looked at again in the next decision.
  void ask_again() {
    forget_quiet();
    if constexpr (kSetsAside) {
      const auto slot = static_cast<Slot>(timeline_.first_aside());
      if (slot == static_cast<Slot>(Timeline::kNone)) return;
      timeline_.clear(slot);
      timeline_.wait(slot, waits_until(*queue_.at(slot)));
    }
  }
  /// Which entity comes first is known only after the due ones have been moved to the queue or
  /// searched.
  static bool due_before_at_all(const Entity&, Instant)
    requires(kMovesToQueue || kLooksOnce)
  {
    return true;
  }
  /// A due entity comes after one that is ready.
  HOCKET_STEP void set_aside([[maybe_unused]] const Entity& waiter) {
    if constexpr (kSetsAside) timeline_.set_aside(waiter.rank);
  }

  static bool raised(const Entity& entity) { return kCeilings && entity.raised(); }
  static bool eligible(const Entity& entity, Instant now) {
    return !entity.best_effort && entity.server.usable(now);
  }

  bool charging() const { return charged_ != nullptr; }
  /// The bound, a slot or a key, below which a waiting entity precedes the running one.
  auto timer_reach() const {
    if constexpr (kByKey && !Instant::kCircular) {
      return charging() ? Order::key_now(*charged_) : Order::Key::last();
    } else if constexpr (kByKey) {
      return Order::kAll;  // Waiters::matters() decides
    } else {
      return charging() ? Order::reach(*charged_) : Order::kAll;
    }
  }
  bool comes_first(const Entity& entity) const {
    return !charging() || Order::precedes(entity, *charged_);
  }

  /// Call this when another entity begins to run, or the core becomes idle.
  [[gnu::always_inline]] void forget_quiet() {
    if constexpr (kRemembersQuiet) quiet_until_ = Instant();
  }

  struct NoQuiet {};
  Entity* charged_ = nullptr;  // the running entity, if its time is charged to a budget
  Entity* idler_ = nullptr;    // the entity that runs in idle time; null: none
  Instant began_;              // up to here the charged entity has paid
  Instant limit_;              // when it will have used up what it may
  [[no_unique_address]] mutable ChosenType<kRemembersQuiet, Instant, NoQuiet> quiet_until_{};
  union {  // constructed by reset(); a core that has not begun is all zeros
    char nothing_ = 0;
    TurnsFor<Entity, Server, Order> background_;
  };
  typename Order::template Queue<Entity> queue_;  // eligible entities, without the running one
  Timeline timeline_;
};

}  // namespace hocket
