// The scheduler: decides which entity runs, and when the next decision is due. state_machine.h,
// which it builds on, says what happens to each entity, and has the drawing of states and parts.
//
//   pick          chooses the entity that runs from now on: the first one in the order's queue,
//                 unless the running entity precedes it and has not reached its limit
//   raise, lower  locks with a priority ceiling
//   top_half      interrupts that belong to an I/O virtual CPU, or to no entity
//
// Legal context: every function is called with the core locked, and `now` never decreases
// (policy.h). There are no error returns; checked builds verify the preconditions.
//
// An entity whose instant has come stays in the timeline until it precedes all others. A decision
// therefore looks for the first of the due entities, and for no other.
//
// A lock with a priority ceiling has a slot of its own. Its holder occupies that slot, so no entity
// between the holder's own priority and the ceiling can be picked (immediate ceiling; Burns &
// Wellings). For orders by deadline, deadline_order.h defines what a ceiling means. While raised,
// the holder may run on without budget until `hold_until`, so that no other entity has to wait for
// the holder's next period. The time that it takes is charged as an overrun. After `hold_until` it
// falls back to its own slot. Time that the holder is spared moves `hold_until`, as it moves the
// limit of any running entity. A lock within a lock ends no later than the outer one.
#pragma once

#include "kernel/sched/parts.h"
#include "kernel/sched/state_machine.h"

namespace hocket {

template <class Rep, parts::Server Server, parts::Order<Server> Order,
          parts::Timeline<Order, BasicInstant<Rep>> Timeline,
          parts::Charges<BasicDuration<Rep>> Charges = NoCharges<Rep>,
          class Observer = SilentObserver, bool kHasCeilings = true, bool kHasBestEffort = true>
class Scheduler : public StateMachine<Rep, Server, Order, Timeline, Charges, Observer, kHasCeilings,
                                      kHasBestEffort> {
  using Base =
      StateMachine<Rep, Server, Order, Timeline, Charges, Observer, kHasCeilings, kHasBestEffort>;

 public:
  using Base::kCeilings, Base::kHasUsual, Base::kSlots;
  using Base::running, Base::wake;
  using typename Base::Duration, typename Base::Entity, typename Base::Instant, typename Base::Slot;

  /// Whether the order draws lots. The draws of every run then follow from the seed. Call seed()
  /// before reset().
  static constexpr bool kDraws = Order::kDraws;
  void seed(uint32_t number)
    requires kDraws
  {
    queue_.seed(number);
  }

  /// Removes all entities; `slots` is the number of priorities (entities and ceilings) to come.
  void reset(unsigned slots) {
    HOCKET_CHECK(slots <= kSlots);
    queue_.reset(slots);
    timeline_.reset(slots);
    this->forget_quiet();
    construct<TurnsFor<Entity, Server, Order>>(&background_);
    charged_ = idler_ = nullptr;
    if constexpr (Base::kSplits) static_cast<void>(this->take_departed());
  }

  /// A blocked entity joins the core at `slot`. `contract` holds the arguments of its server's
  /// reset(), for example SporadicServer::reset().
  template <class... Contract>
  void add(Entity& entity, Slot slot, Contract... contract) {
    entity.server.reset(contract...);
    join(entity, slot);
  }

  /// An entity without budget joins the core: it runs only when the core would be idle.
  void add_best_effort(Entity& entity, Slot slot)
    requires kHasBestEffort
  {
    entity.best_effort = entity.background = true;
    join(entity, slot);
  }

  // --- Decisions ---

  /// Makes a decision: returns the entity that runs from now on, or null if the core is idle.
  HOCKET_IN_LINE Entity* pick(Instant now, Cause cause) {
    if (Entity* const usual = pick_usual(now, cause)) return usual;
    return pick_any(now, cause);
  }

  /// pick() in two parts, so that a caller can inline the first one and call the second one out of
  /// line. pick_usual() handles the usual outcomes of a timer and of a stop in few instructions.
  /// Null: the case is another one, and pick_any() must follow.
  HOCKET_IN_LINE Entity* pick_usual(Instant now, Cause cause) {
    if constexpr (kHasUsual) {
      if (cause == Cause::Timer) {
        return this->may_be_due_first(now) ? run_first_due(now, cause) : nullptr;
      }
      if (cause == Cause::Stop) return run_next(now);
    }
    return nullptr;
  }
  /// Handles every case.
  HOCKET_IN_LINE Entity* pick_any(Instant now, Cause cause) {
    if constexpr (Base::kLooksOnce) {
      return pick_of_few(now, cause);
    } else {
      return pick_of_many(now, cause);
    }
  }
  HOCKET_IN_LINE Entity* pick_of_many(Instant now, Cause cause)
    requires(!Base::kLooksOnce)
  {
    Entity* first = nullptr;
    if (this->may_be_due_first(now)) {
      const Taken taken = take_due(now, cause);
      first = taken.entity;
      cause = taken.cause;
    }
    if (first == nullptr) first = take_ready();
    if (charging()) {
      if (first != nullptr) {
        preempt(charged_from(now, cause));
      } else if (!behind_limit(now, cause)) {
        return charged_;
      } else {
        reach_limit(now);
        cause = Cause::Stop;
        if (this->may_be_due_first(now)) first = take_due(now, cause).entity;
        if (first == nullptr) first = take_ready();
      }
    }
    if (first == nullptr) return pick_background();
    run_unhurried(*first, charged_from(now, cause));
    return first;
  }

  /// pick_any() for a timeline that is searched once per decision. Only the first of the due
  /// entities counts, whether it precedes the running entity or not.
  HOCKET_IN_LINE Entity* pick_of_few(Instant now, Cause cause)
    requires Base::kLooksOnce
  {
    auto due = Timeline::kNone;
    if (timeline_.due(now)) due = timeline_.first_due(now, typename Base::Waiters{*this});
    Entity* first = nullptr;
    // The running entity precedes all ready ones, unless one of them has just been woken.
    if (cause != Cause::Timer || !charging() || due < charged_->slot)
      first = take_first(due, now, cause);
    if (charging()) {
      if (first != nullptr) {
        preempt(charged_from(now, cause));
      } else if (!behind_limit(now, cause)) {
        stay(due, now);
        this->forget_work();
        return charged_;
      } else {
        reach_limit(now);
        cause = Cause::Stop;
        first = take_first(due, now, cause);
      }
    }
    stay(due, now);
    this->forget_work();
    if (first == nullptr) return pick_background();
    run_unhurried(*first, charged_from(now, cause));
    return first;
  }

  // --- Ceilings ---

  /// The running entity takes a lock whose ceiling has `slot`; see the head of this file. Does
  /// nothing if the entity is at least as high already. Afterwards next_event() has changed. If an
  /// entity is due(), pick() must follow: the interrupt of that entity is pending, and setting the
  /// timer again would delay it a second time.
  void raise(Entity& entity, Slot slot, Instant now, Instant hold_until)
    requires kCeilings
  {
    if (slot >= entity.slot) return;
    HOCKET_CHECK(&entity == running());
    if (!charging()) {  // in idle time, it competes while it holds the lock
      withdraw(entity);
      charged_ = &entity;
      began_ = now;
    }
    if (!entity.raised()) limit_ = entity.hold_until = hold_until;
    queue_.raise(entity, slot, now);
  }

  /// The entity releases such a lock and returns to the slot that it had before: its own rank for
  /// the last lock. Does nothing if it held the lock too long and has fallen back already. pick()
  /// must follow.
  void lower(Entity& entity, Slot slot, Instant now)
    requires kCeilings
  {
    if (!entity.raised()) return;
    HOCKET_CHECK(&entity == running());
    queue_.lower(entity, slot);
    this->ask_again();  // an entity that was due before may now precede it
    find_limit();
    // An entity without budget was raised in idle time; its turn ends now.
    if (!entity.raised() && !eligible(entity, now)) limit_ = now;
  }

  // --- Interrupts that have an owner ---

  /// An interrupt of this core has arrived for an I/O virtual CPU, and its top half takes at most
  /// `length`. Wakes the entity. If the entity does not take the core at once, it pays for the top
  /// half [10]; a decision that must follow uses a clock reading after the top half.
  [[nodiscard, gnu::always_inline]] Wakeup top_half(Entity& entity, Instant now, Duration length)
    requires Server::kServesIo
  {
    if (&entity == charged_) return Wakeup::Same;  // the entity is running and pays for it anyway
    const bool takes = entity.state == Entity::State::Blocked && !entity.background &&
                       entity.server.usable(now) && would_come_first(entity, now);
    return takes ? wake(entity, now, Waker::Interrupt) : top_half_before(entity, now, length);
  }

  /// Whether an I/O virtual CPU, if woken now, would take the core at once with at least `least` of
  /// its budget left.
  [[nodiscard]] HOCKET_IN_LINE bool would_take(const Entity& entity, Instant now, Duration least)
    requires Server::kServesIo
  {
    return entity.state == Entity::State::Blocked && !entity.background &&
           entity.server.usable(now) && entity.server.rest() >= least &&
           would_come_first(entity, now);
  }
  /// Call this if would_take() holds: the entity takes the core, and its work begins in the
  /// interrupt itself [10].
  HOCKET_IN_LINE void begin_service(Entity& entity, Instant now)
    requires Server::kServesIo
  {
    entity.state = Entity::State::Ready;
    static_cast<void>(entity.server.unblock(now));
    note_release(entity, now);
    const Instant from = now - Charges::entry();  // [1]
    if (charging()) preempt(from);
    run_woken(entity, from);
  }
  /// The running entity blocks, and its last act is to wake `to`, which is blocked or asleep.
  /// pick() must follow.
  HOCKET_ASIDE void hand_over(Entity& from, Entity& to, Instant now)
    requires Server::kServesIo
  {
    this->block(from, now);  // pays for the switch that follows [2]
    static_cast<void>(wake_otherwise(to, now, Waker::Thread));
  }
  /// begin_service() and hand_over() in one decision, for work that has been done entirely since
  /// `began`. Returns true if `to` runs from now on; otherwise pick() must follow.
  [[nodiscard]] HOCKET_IN_LINE bool serve(Entity& io, Entity& to, Instant began, Instant now)
    requires Server::kServesIo
  {
    if (!would_take(to, now, Duration(0))) {
      begin_service(io, began);
      hand_over(io, to, now);
      return false;
    }
    const Instant entered = began - Charges::entry();  // [1]
    static_cast<void>(io.server.unblock(began));
    note_release(io, began);
    this->stop_after(io, now, now - entered + Charges::switching());  // [2]
    to.state = Entity::State::Ready;
    static_cast<void>(to.server.unblock(now));
    note_release(to, now);
    if (charging()) preempt(entered);
    run_woken(to, charged_from(now, Cause::Stop));
    return true;
  }

  /// An interrupt of this core takes `length`, which no entity pays for: the analysis counts it.
  Wakeup pass_over(Duration length) {
    if (!charging()) return Wakeup::Same;
    spare(length);
    return Wakeup::Rearm;
  }

  // --- Circular clocks ---

  /// Whether the next decision leaves room for the long work of refresh().
  bool may_refresh(Instant now) const { return !charging() || now < limit_; }
  /// On a circular clock, with interrupts masked: moves the old instants of one entity that does
  /// not run to `now`, before they would look like future ones. Call this for each slot at least
  /// once in a quarter of the clock's range. It changes no decision: budget that was usable before
  /// `now` is usable at `now`, and waking would join it anyway. An entity that is due becomes
  /// ready, unless the following decision will find it. One slot at a time, so that the masked
  /// section does not grow with the number of slots.
  HOCKET_RARE void refresh(unsigned slot, Instant now) {
    Entity* const entity = queue_.at(static_cast<Slot>(slot));
    if (entity == nullptr || entity == charged_ || entity->best_effort) return;
    if constexpr (Instant::kCircular) {
      if (timeline_.waits(static_cast<Slot>(slot)) && Base::waits_until(*entity) <= now) {
        if (!charging() || due_precedes(*entity, *charged_)) return;
        timeline_.clear(entity->rank);
        if (end_wait(*entity, now)) queue_.insert(*entity);
        return this->note_work();
      }
    }
    const bool blocked = entity->state == Entity::State::Blocked;
    if (blocked || entity->state == Entity::State::Sleeping) {
      entity->server.refresh(now);
      this->note_work();
    } else if constexpr (Instant::kCircular) {
      Order::keep_recent(*entity, now);
    }
  }

 private:
  /// Whether a blocked entity with budget, if woken now, would precede the running one and all that
  /// are due. In an order by deadlines, waking changes its place.
  bool would_come_first(const Entity& entity, Instant now) {
    if constexpr (Base::kByKey) {
      const auto key = Order::key(entity, entity.server.time_after(now));
      if (charging() && !(key < Order::key_now(*charged_))) return false;
      if (!timeline_.due(now)) return true;
      if constexpr (Base::kMovesToQueue) {
        return false;
      } else {
        return key < Base::key_of_waiter(*Base::first_due(now));
      }
    } else {
      if (!comes_first(entity)) return false;
      if (!this->may_be_due_first(now)) return true;
      if constexpr (Base::kSetsAside) {  // (a question must not set entities aside)
        return !timeline_.due_before(entity.slot, now);
      } else {
        return !this->due_before_at_all(entity, now);
      }
    }
  }

  void join(Entity& entity, Slot slot) {
    entity.state = Entity::State::Blocked;
    Order::joined(entity);
    queue_.join(entity, slot);
  }

  using Base::background_, Base::began_, Base::charged_, Base::idler_, Base::limit_, Base::queue_,
      Base::timeline_;
  using Base::become_ready, Base::begin_release, Base::charge, Base::charging, Base::comes_first,
      Base::due_precedes, Base::eligible, Base::end_release, Base::find_limit, Base::note_release,
      Base::preempt, Base::raised, Base::requeue, Base::run, Base::run_woken, Base::wake_otherwise,
      Base::withdraw;

  // --- Which entity is due, and which is next ---

  /// Takes the first entity out of the queue if it precedes the running one. Else null.
  [[gnu::always_inline]] Entity* take_ready() {
    Entity* const other = queue_.first();
    if (other == nullptr || (charging() && !Order::precedes(*other, *charged_))) return nullptr;
    queue_.remove(*other);
    return other;
  }

  /// The entity taken from the timeline, or null, and the cause of the decision after that.
  struct Taken {
    Entity* entity;
    Cause cause;
  };
  /// An entity is due. If it precedes all ready ones, its wait ends now, perhaps late, but takes
  /// effect as of its own instant. If it has no budget then and is ready for idle time only, one
  /// more due entity is looked at, to keep the decision short. The timer brings the next one at
  /// once.
  [[gnu::noinline]] Taken take_due(Instant now, Cause cause)
    requires(!Base::kMovesToQueue && !Base::kLooksOnce)
  {
    for (unsigned looked_at = 0; looked_at < 2 && timeline_.due(now); ++looked_at) {
      Entity* const waiter = Base::first_due(now);
      const Entity* const other = queue_.first();
      if ((charging() && !due_precedes(*waiter, *charged_)) ||
          (other != nullptr && !due_precedes(*waiter, *other))) {
        this->set_aside(*waiter);
        return {nullptr, cause};
      }
      timeline_.clear(waiter->rank);
      if (end_wait(*waiter, now)) return {waiter, cause};
      cause = set_for(*waiter, cause);
    }
    this->ask_again();
    return {nullptr, cause};
  }
  /// take_due() where due entities are moved to the queue. A decision moves one of them. If another
  /// one precedes, the timer brings it at once.
  [[gnu::noinline]] Taken take_due(Instant now, Cause cause)
    requires Base::kMovesToQueue
  {
    [[maybe_unused]] Entity* const waits_on = move_due(now);
    if constexpr (Order::kByRank || Base::kByKey) {
      const bool first = waits_on != nullptr && charging() && due_precedes(*waits_on, *charged_);
      if (first) cause = set_for(*waits_on, cause);
    } else if (cause == Cause::Timer) {
      cause = Cause::Interrupt;  // in a lottery the timer is set for all of them
    }
    return {nullptr, cause};
  }
  /// Moves the first due entity to the queue. If it has no budget yet, and is ready for idle time
  /// only, it keeps waiting and is returned.
  HOCKET_STEP Entity* move_due(Instant now) {
    const auto slot = take_slot(now);
    if (slot == Timeline::kNone) return nullptr;
    Entity& waiter = *queue_.at(static_cast<Slot>(slot));
    if (!end_wait(waiter, now)) return &waiter;
    queue_.insert(waiter);
    return nullptr;
  }
  /// The wait of an entity that precedes the running one has ended, but the entity has no budget
  /// yet. The timer was set for it, so it pays for the interrupt [3]. The limit of the running
  /// entity may not have been reached when the interrupt began, so this interrupt does not end that
  /// entity's budget.
  Cause set_for(Entity& waiter, Cause cause) {
    if (cause != Cause::Timer) return cause;
    if (charging() && !waiter.best_effort) waiter.server.consume(Charges::interrupt());
    return Cause::Interrupt;
  }
  auto take_slot(Instant now) {
    if constexpr (Instant::kCircular) {
      return timeline_.take_due(now, typename Base::Waiters{*this});
    } else {
      const auto slot = timeline_.first_due(now);
      if (slot != Timeline::kNone) timeline_.clear(slot);
      return slot;
    }
  }
  /// Returns the first of: the due entity in slot `due` (or kNone), and the ready ones. Null if the
  /// running entity precedes them. If the due entity has no budget yet, the others get their turn,
  /// and the timer brings the next due entity at once.
  HOCKET_STEP Entity* take_first(typename Timeline::Slot& due, Instant now, Cause& cause)
    requires Base::kLooksOnce
  {
    Entity* ready = queue_.first();
    if (ready != nullptr && charging() && !Order::precedes(*ready, *charged_)) ready = nullptr;
    const Entity* const before = ready != nullptr ? ready : charged_;
    if (due != Timeline::kNone && (before == nullptr || due < before->slot)) {
      Entity& waiter = *queue_.at(static_cast<Slot>(due));
      if (!this->has_worked() || waiter.state != Entity::State::Sleeping) {
        timeline_.clear(waiter.slot);
        due = Timeline::kNone;
        if (end_wait(waiter, now)) return &waiter;
        cause = set_for(waiter, cause);
      }
    }
    if (ready != nullptr) queue_.remove(*ready);
    return ready;
  }
  void stay(typename Timeline::Slot due, Instant now)
    requires Base::kLooksOnce
  {
    if (due != Timeline::kNone) timeline_.stay(now);
  }

  /// Takes the entity out of its wait. Returns true if it can run; otherwise it now waits for
  /// budget.
  HOCKET_STEP bool end_wait(Entity& entity, Instant now) {
    if (entity.state == Entity::State::Sleeping) become_ready(entity, entity.wake_at);
    if (entity.best_effort) return false;
    if (entity.server.usable(now)) return true;
    this->wait(entity, entity.server.time());
    return false;
  }

  /// The usual case of a timer: the first due entity has slept, precedes all others and has budget,
  /// so it runs at once. Null: another case.
  HOCKET_IN_LINE Entity* run_first_due(Instant now, Cause cause) {
    const auto slot = static_cast<Slot>(timeline_.first_due(now));
    Entity* const waiter = queue_.at(slot);
    if (waiter == nullptr || waiter->state != Entity::State::Sleeping || waiter->background) {
      return nullptr;
    }
    const Entity* const other = queue_.first();
    if (!comes_first(*waiter) || (other != nullptr && !Order::precedes(*waiter, *other))) {
      return nullptr;
    }
    timeline_.clear_earliest(slot);
    waiter->state = Entity::State::Ready;
    bool usable = waiter->server.unblock(waiter->wake_at);
    if (usable) {
      note_release(*waiter, waiter->wake_at);
    } else {
      begin_release(*waiter, waiter->wake_at);
      usable = waiter->server.usable(now);
    }
    if (!usable) {
      requeue(*waiter, now);
      return nullptr;
    }
    const Instant from = charged_from(now, cause);
    if (charging()) preempt(from);
    run_woken(*waiter, from);
    return waiter;
  }

  /// The usual case of a stop: a ready entity waits in the queue, and no due entity precedes it.
  HOCKET_IN_LINE Entity* run_next(Instant now) {
    Entity* const next = charging() ? nullptr : queue_.first();
    if (next == nullptr || this->may_be_due_before(*next, now)) return nullptr;
    queue_.remove(*next);
    run(*next, charged_from(now, Cause::Stop));
    return next;
  }
  HOCKET_STEP void run_unhurried(Entity& entity, Instant from) { run(entity, from); }

  /// The instant from which an entity chosen at `now` is charged.
  HOCKET_STEP static Instant charged_from(Instant now, Cause cause) {
    if (cause == Cause::Call) return now;
    return cause == Cause::Stop ? now + Charges::switching()  // [2]
                                : now - Charges::entry();     // [1]
  }

  /// Whether the running entity has reached its limit. An interrupt that began before the limit
  /// does not end a budget; the timer will.
  HOCKET_STEP bool behind_limit(Instant now, Cause cause) {
    const Instant at = cause == Cause::Interrupt ? now - Charges::entry() : now;
    if (at < limit_) {
      // An interrupt that changed nothing is not charged to the entity that it interrupted [3].
      if (cause == Cause::Timer || cause == Cause::Interrupt) spare(Charges::interrupt());
      return false;
    }
    return true;
  }

  /// The running entity has reached its limit, and pays for the switch that follows [2].
  [[gnu::noinline]] void reach_limit(Instant now) {
    Entity& entity = charge(now, Charges::switching());
    if (raised(entity)) {
      queue_.settle(entity);
      if (entity.best_effort) return;
      if (entity.server.rest() > Charges::ending()) return requeue(entity, now);
    }
    end_release(entity, now);
  }

  /// The background entity that has waited longest gets idle time until the next event.
  [[gnu::noinline]] Entity* pick_background() {
    idler_ = nullptr;
    if (!background_.empty()) idler_ = &background_.next(queue_);
    return idler_;
  }

  /// Exempts the charged entity from paying for `time`. The time does not shorten a hold either.
  void spare(Duration time) {
    began_ += time;
    limit_ += time;
    if constexpr (kCeilings) {
      if (charged_->raised()) charged_->hold_until = limit_;
    }
  }

  /// The top half ends before the I/O virtual CPU runs.
  [[gnu::noinline]] Wakeup top_half_before(Entity& entity, Instant now, Duration length) {
    const Wakeup answer = wake_otherwise(entity, now, Waker::Thread);
    entity.server.consume(length);  // [10]
    if (answer == Wakeup::Decide) {
      // The woken entity preempts. The charged entity has run until the top half began.
      if (charging()) preempt(now - Charges::entry());
      return answer;
    }
    const Wakeup passed = pass_over(length);
    return answer == Wakeup::Same ? passed : answer;
  }
};

}  // namespace hocket
