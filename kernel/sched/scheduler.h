// The scheduler: who runs, and when that must be asked again. It decides on top of the state
// machine that says what happens to each entity (state_machine.h, with the drawing of states and
// parts).
//
//   pick          who runs from now on: of those in the order's queue the first one, unless who
//                 runs comes before it and has not reached its limit
//   raise, lower  locks with a priority ceiling
//   top_half      interrupts that belong to an I/O virtual CPU, or to nobody
//
// An entity whose instant has come stays in the timeline until it comes first of all: a decision
// looks for the first one of those that are due, and for no other.
//
// A lock with a priority ceiling has a slot of its own. Its holder has that slot, so nothing
// between its own priority and the ceiling can be picked (immediate ceiling; Burns & Wellings).
// (Orders by deadlines say what a ceiling means there: sched/deadline_order.h.)
// While raised it may run on without budget until `hold_until`, so that nobody else has to wait for
// its next period; what it takes is charged as an overrun. After that instant it falls back.
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

  /// Whether the order draws by lot: what it draws then follows from this number, on every run.
  /// Before reset().
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

  /// A blocked entity joins the core at its slot; what follows is what its server wants to know
  /// (SporadicServer::reset).
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

  /// Decides.
  HOCKET_IN_LINE Entity* pick(Instant now, Cause cause) {
    if (Entity* const usual = pick_usual(now, cause)) return usual;
    return pick_any(now, cause);
  }

  /// The two parts of pick(), so that a caller has the first one in line, and the second one once.
  /// What a timer and a stop mostly lead to, in few instructions; null: it is something else.
  HOCKET_IN_LINE Entity* pick_usual(Instant now, Cause cause) {
    if constexpr (kHasUsual) {
      if (cause == Cause::Timer) {
        return this->may_be_due_first(now) ? run_first_due(now, cause) : nullptr;
      }
      if (cause == Cause::Stop) return run_next(now);
    }
    return nullptr;
  }
  /// Whatever it is.
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

  /// The same where the timeline is looked through once: of those that are due the first one
  /// counts, before who runs or behind.
  HOCKET_IN_LINE Entity* pick_of_few(Instant now, Cause cause)
    requires Base::kLooksOnce
  {
    auto due = Timeline::kNone;
    if (timeline_.due(now)) due = timeline_.first_due(now, typename Base::Waiters{*this});
    Entity* first = nullptr;
    // (Who runs comes before all that are ready, unless one has just been woken.)
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

  /// The running entity takes a lock whose ceiling has `slot`; see the head of this file. Nothing
  /// happens when it is as high already. next_event has changed. If somebody is due(), pick() must
  /// follow: its interrupt is on its way, and a timer set anew would be late a second time.
  void raise(Entity& entity, Slot slot, Instant now, Instant hold_until)
    requires kCeilings
  {
    if (slot >= entity.slot) return;
    HOCKET_CHECK(&entity == running());
    if (!charging()) {  // in idle time it competes for as long as it holds the lock
      withdraw(entity);
      charged_ = &entity;
      began_ = now;
    }
    queue_.raise(entity, slot, now);
    limit_ = entity.hold_until = hold_until;
  }

  /// The entity gives such a lock back and is as high as before it took it: at `slot`, its own rank
  /// for the last lock. Nothing happens when it held on too long and has fallen back already.
  /// pick() must follow.
  void lower(Entity& entity, Slot slot, Instant now, Instant hold_until)
    requires kCeilings
  {
    if (!entity.raised()) return;
    HOCKET_CHECK(&entity == running());
    queue_.lower(entity, slot);
    entity.hold_until = hold_until;
    this->ask_again();  // (one may come before it now that was due before)
    find_limit();
    // Without budget, it was raised in idle time.
    if (!entity.raised() && !eligible(entity, now)) limit_ = now;
  }

  // --- Interrupts that have an owner ---

  /// An interrupt of this core has come for an I/O virtual CPU, and its top half takes `length` at
  /// most: wakes it. Where it does not take the core at once, it pays for the top half [10], and
  /// the decision, if one must follow, is made with a reading of the clock behind the top half.
  [[nodiscard, gnu::always_inline]] Wakeup top_half(Entity& entity, Instant now, Duration length)
    requires Server::kServesIo
  {
    if (&entity == charged_) return Wakeup::Same;  // it is its own time
    const bool takes = entity.state == Entity::State::Blocked && !entity.background &&
                       entity.server.usable(now) && would_come_first(entity, now);
    return takes ? wake(entity, now, Waker::Interrupt) : top_half_before(entity, now, length);
  }

  /// Whether an I/O virtual CPU that is woken now would take the core at once, with so much of its
  /// budget at least.
  [[nodiscard]] HOCKET_IN_LINE bool would_take(const Entity& entity, Instant now, Duration least)
    requires Server::kServesIo
  {
    return entity.state == Entity::State::Blocked && !entity.background &&
           entity.server.usable(now) && entity.server.rest() >= least &&
           would_come_first(entity, now);
  }
  /// It does, and its work begins in the interrupt itself [10].
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
  /// The running entity stops, and as its last act lets another one go on, which was blocked or
  /// asleep. pick() must follow.
  HOCKET_ASIDE void hand_over(Entity& from, Entity& to, Instant now)
    requires Server::kServesIo
  {
    this->block(from, now);  // pays for the switch that follows [2]
    static_cast<void>(wake_otherwise(to, now, Waker::Thread));
  }
  /// begin_service() and hand_over() at once, when all the work has been done since `began`: one
  /// decision for both. True: `to` runs from now on; else pick() must follow.
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

  /// An interrupt of this core takes `length` of nobody's time: it is counted in the analysis.
  Wakeup pass_over(Duration length) {
    if (!charging()) return Wakeup::Same;
    spare(length);
    return raised(*charged_) ? Wakeup::Same : Wakeup::Rearm;
  }

  // --- Circular clocks ---

  /// Whether no other long piece of work comes in the decision that follows (refresh).
  bool may_refresh(Instant now) const { return !charging() || now < limit_; }
  /// On a circular clock, masked: the instants of one entity that does not run become present ones
  /// before they look like future ones. Each slot must have its turn in a quarter of a turn of the
  /// clock. Changes no decision: budget that was usable before `now` is usable at `now`, and waking
  /// joins it anyway. An entity that is due becomes ready, unless the decision that follows is to
  /// find it. (One slot at a time, so that interrupts are not masked for longer with more of them.)
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
  /// An entity that is blocked and has budget, were it woken now: before the running one, and
  /// before those that are due. (By deadlines its place changes by that.)
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
      if constexpr (Base::kSetsAside) {  // (and none is moved by a question)
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

  // --- Who is due, and who is next ---

  /// Takes the first one out of the queue, if it comes before the running entity, or null.
  [[gnu::always_inline]] Entity* take_ready() {
    Entity* const other = queue_.first();
    if (other == nullptr || (charging() && !Order::precedes(*other, *charged_))) return nullptr;
    queue_.remove(*other);
    return other;
  }

  /// What was taken out of the timeline, or null, and what the decision is due to then.
  struct Taken {
    Entity* entity;
    Cause cause;
  };
  /// An entity is due. If it comes before all that are ready, its wait ends, late perhaps, but as
  /// of its own instant. It may have no budget yet, and be ready for idle time only; then the one
  /// behind it is looked at, and no further: a decision is not to be longer than that. (The timer
  /// brings the next one at once.)
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
  /// The same where the queue is the place of all that are due: of others that are, the next
  /// decision moves one, and the timer brings it at once if that one comes first.
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
  /// The first entity that is due goes into the queue. If it has no budget yet and is ready for
  /// idle time only, it goes on waiting and is returned.
  HOCKET_STEP Entity* move_due(Instant now) {
    const auto slot = take_slot(now);
    if (slot == Timeline::kNone) return nullptr;
    Entity& waiter = *queue_.at(static_cast<Slot>(slot));
    if (!end_wait(waiter, now)) return &waiter;
    queue_.insert(waiter);
    return nullptr;
  }
  /// The wait of an entity that comes before the running one has ended, and it has no budget yet. A
  /// timer was set for that: the entity pays for the interrupt [3]. The limit of the running one
  /// may have been ahead when the interrupt began, so it does not end that one's budget.
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
  /// Who comes first of `due` (a slot, or none), of the ready, and before who runs; or null. Where
  /// that was due and has no budget yet, the others have their turn: the timer brings the next one
  /// at once.
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

  /// Out of the timeline: true, if it can run. Else it waits for its budget.
  HOCKET_STEP bool end_wait(Entity& entity, Instant now) {
    if (entity.state == Entity::State::Sleeping) become_ready(entity, entity.wake_at);
    if (entity.best_effort) return false;
    if (entity.server.usable(now)) return true;
    this->wait(entity, entity.server.time());
    return false;
  }

  /// The usual case of a timer: the first one of those that are due has slept, comes first of all
  /// and has budget, so it runs at once.
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

  /// The usual case of a stop: one waits for its turn, and none that is due comes before it.
  HOCKET_IN_LINE Entity* run_next(Instant now) {
    Entity* const next = charging() ? nullptr : queue_.first();
    if (next == nullptr || this->may_be_due_before(*next, now)) return nullptr;
    queue_.remove(*next);
    run(*next, charged_from(now, Cause::Stop));
    return next;
  }
  HOCKET_STEP void run_unhurried(Entity& entity, Instant from) { run(entity, from); }

  /// From when on is charged who is chosen at `now`.
  HOCKET_STEP static Instant charged_from(Instant now, Cause cause) {
    if (cause == Cause::Call) return now;
    return cause == Cause::Stop ? now + Charges::switching()  // [2]
                                : now - Charges::entry();     // [1]
  }

  /// Whether who runs has used up what it may. (An interrupt that began before the limit does not
  /// end a budget: the timer will.)
  HOCKET_STEP bool behind_limit(Instant now, Cause cause) {
    const Instant at = cause == Cause::Interrupt ? now - Charges::entry() : now;
    if (at < limit_) {
      // An interrupt that changed nothing is not the interrupted one's [3].
      if (cause == Cause::Timer || cause == Cause::Interrupt) spare(Charges::interrupt());
      return false;
    }
    return true;
  }

  /// The running entity has used up what it may, and pays for the switch that follows [2].
  [[gnu::noinline]] void reach_limit(Instant now) {
    Entity& entity = charge(now, Charges::switching());
    if (raised(entity)) {
      queue_.settle(entity);
      if (entity.best_effort) return;
      if (entity.server.rest() > Charges::ending()) return requeue(entity, now);
    }
    end_release(entity, now);
  }

  /// Whoever has waited longest for idle time gets it until something else happens.
  [[gnu::noinline]] Entity* pick_background() {
    idler_ = nullptr;
    if (!background_.empty()) idler_ = &background_.next(queue_);
    return idler_;
  }

  /// Who is charged is not charged with that time.
  void spare(Duration time) {
    began_ += time;
    if (!raised(*charged_)) limit_ += time;
  }

  /// The top half is over before the I/O virtual CPU runs.
  [[gnu::noinline]] Wakeup top_half_before(Entity& entity, Instant now, Duration length) {
    const Wakeup answer = wake_otherwise(entity, now, Waker::Thread);
    entity.server.consume(length);  // [10]
    if (answer == Wakeup::Decide) {
      // Somebody preempts: who runs has run until the top half began.
      if (charging()) preempt(now - Charges::entry());
      return answer;
    }
    const Wakeup passed = pass_over(length);
    return answer == Wakeup::Same ? passed : answer;
  }
};

}  // namespace hocket
