// The state machine that all policies share: ready, sleeping, blocked, charged, raised, background.
//
// It is put together of three parts, each a small file:
//   server     what supply an entity has       sporadic_server.h, pibs_server.h, unlimited.h
//   order      who of the ready comes first    fixed_priority.h, deadline_order.h
//   timeline   who is due when                 base/tournament.h, base/few_instants.h
//
//               wake                     chosen
//   Blocked ─────────▶ Ready, eligible ─────────▶ running       in the order's queue, or running
//   Sleeping ────────▶   ▲    │                    │   │        in the timeline while it sleeps
//      its instant       │    │ preempted          │   │ used up, or refill yet to come
//                        │    ╰────────────────────╯   ▼
//                        ╰───────────────────── Ready, waiting  in the timeline
//
// Who runs and is charged is in none of them. An instant in the timeline matters only if its owner
// would come before who runs: an event of lower priority never interrupts a running loop. It is
// handled, with the instant at which it was due, when its turn comes; the schedule is the same as
// if it had been handled at once.
//
// Who pays: docs/decisions/who-pays.md; the rules' numbers are in brackets. What an entity has used
// is kept by its server as one number, and nothing is written to its refills until a head ends.
//
// A lock with a priority ceiling has a slot of its own. Its holder has that slot, so nothing
// between its own priority and the ceiling can be picked (immediate ceiling; Burns & Wellings).
// While raised it may run on without budget until `hold_until`, so that nobody else has to wait for
// its next period; what it takes is charged as an overrun. After that instant it falls back.
#pragma once

#include "kernel/base/construct.h"
#include "kernel/base/turns.h"
#include "kernel/sched/policy.h"

namespace hocket {

namespace detail {
template <class Instant, bool kKept>
struct CeilingNotes {
  Instant hold_until;  // while raised
};
template <class Instant>
struct CeilingNotes<Instant, false> {};

template <class Instant, bool kKept>
struct ReleaseNotes {
  Instant release;  // since when its present head could be used (while Ready)
};
template <class Instant>
struct ReleaseNotes<Instant, false> {};

template <bool kKept>
struct BestEffortNote {
  bool best_effort = false;  // has no budget at all: runs in idle time only (background, too)
};
template <>
struct BestEffortNote<false> {
  static constexpr bool best_effort = false;
};
}  // namespace detail

template <class Rep, class Server, class Order, class Timeline, class Charges = NoCharges<Rep>,
          class Observer = SilentObserver, bool kHasCeilings = true, bool kHasBestEffort = true>
class Scheduler {
 public:
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  using Slot = typename Order::Slot;
  using SupplyServer = Server;
  static constexpr unsigned kSlots = Order::kSlots;
  static constexpr bool kCeilings = kHasCeilings;
  static constexpr bool kBestEffort = kHasBestEffort;
  static constexpr bool kOneCore = requires { requires Charges::kOneCore; };
  template <class Entity>
  using TurnsFor = Turns<Entity, Instant::kCircular && Order::kSlots <= 8>;

  /// What is scheduled. All state is the policy's; others read it.
  struct Entity : TurnsFor<Entity>::Node,
                  Order::Place,
                  detail::BestEffortNote<kBestEffort>,
                  detail::CeilingNotes<Instant, kCeilings>,
                  detail::ReleaseNotes<Instant, Observer::kObserves> {
    enum class State : uint8_t { Blocked, Sleeping, Ready };
    State state = State::Blocked;
    bool background = false;  // may use idle time when it has no budget
    Server server;
    Instant wake_at;  // while Sleeping

    bool is_ready() const { return state == State::Ready; }
  };

  /// Removes all entities; `slots` is the number of priorities (entities and ceilings) to come.
  void reset(unsigned slots) {
    HOCKET_CHECK(slots <= kSlots);
    queue_.reset(slots);
    timeline_.reset(slots);
    construct<TurnsFor<Entity>>(&background_);
    charged_ = idler_ = nullptr;
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
    requires kBestEffort
  {
    entity.best_effort = entity.background = true;
    join(entity, slot);
  }

  HOCKET_IN_LINE void block(Entity& entity, Instant now) {
    leave(entity, now);
    entity.state = Entity::State::Blocked;
  }

  HOCKET_IN_LINE void sleep(Entity& entity, Instant now, Instant until) {
    leave(entity, now);
    entity.state = Entity::State::Sleeping;
    entity.wake_at = until;
    // Waking before there is budget would change nothing, but cost an interrupt.
    const bool at_once = entity.background || entity.server.usable(until);
    timeline_.wait(entity.rank, at_once ? until : entity.server.time());
  }

  [[nodiscard]] Wakeup wake(Entity& entity, Instant now, Waker waker) {
    Wakeup answer = Wakeup::Takes;
    static_cast<void>(takes_over(entity, now, waker, answer));
    return answer;
  }

  /// Wakes, and decides at once in the usual case: it was blocked, has budget and comes first, so
  /// it runs from now on: true. What any other case needs stands apart, so that this one keeps few
  /// registers; it says what must follow.
  [[nodiscard, gnu::always_inline]] bool takes_over(Entity& entity, Instant now, Waker waker,
                                                    Wakeup& otherwise) {
    if (entity.state != Entity::State::Blocked || entity.background || waker == Waker::OtherCore) {
      otherwise = wake_otherwise(entity, now, waker);
      return false;
    }
    entity.state = Entity::State::Ready;
    const bool usable = entity.server.unblock(now);
    if (kHasUsual && usable) {
      note_release(entity, now);
    } else {
      begin_release(entity, now);
    }
    if (!usable || timeline_.due(now) || !comes_first(entity)) {
      otherwise = go_in(entity, now, waker);
      return false;
    }
    const Instant from = waker == Waker::Interrupt ? now - Charges::entry() : now;  // [1]
    if (charging()) preempt(from);
    run_woken(entity, from);
    return true;
  }

  /// An interrupt of this core has come for an I/O virtual CPU, and its top half takes `length` at
  /// most: wakes it. Where it does not take the core at once, it pays for the top half [10], and
  /// the decision, if one must follow, is made with a reading of the clock behind the top half.
  [[nodiscard, gnu::always_inline]] Wakeup top_half(Entity& entity, Instant now, Duration length)
    requires kServesIo<Server>
  {
    if (&entity == charged_) return Wakeup::Same;  // it is its own time
    const bool takes = entity.state == Entity::State::Blocked && !entity.background &&
                       entity.server.usable(now) && !timeline_.due(now) && comes_first(entity);
    return takes ? wake(entity, now, Waker::Interrupt) : top_half_before(entity, now, length);
  }

  /// An interrupt of this core takes `length` of nobody's time: it is counted in the analysis.
  Wakeup pass_over(Duration length) {
    if (!charging()) return Wakeup::Same;
    spare(length);
    return raised(*charged_) ? Wakeup::Same : Wakeup::Rearm;
  }

  /// Decides.
  HOCKET_IN_LINE Entity* pick(Instant now, Cause cause) {
    if (Entity* const usual = pick_usual(now, cause)) return usual;
    return pick_any(now, cause);
  }

  /// The two parts of pick(), so that a caller has the first one in line, and the second one once.
  /// What a timer and a stop mostly lead to, in few instructions; null: it is something else.
  static constexpr bool kHasUsual = Order::kByRank && !Instant::kCircular;
  HOCKET_IN_LINE Entity* pick_usual(Instant now, Cause cause) {
    if constexpr (kHasUsual) {
      if (cause == Cause::Timer) return timeline_.due(now) ? run_first_due(now, cause) : nullptr;
      if (cause == Cause::Stop) return timeline_.due(now) ? nullptr : run_next(now);
    }
    return nullptr;
  }
  /// Whatever it is.
  HOCKET_IN_LINE Entity* pick_any(Instant now, Cause cause) {
    if (timeline_.due(now)) end_waits(now);
    Entity* first = nullptr;
    if (charging()) {
      Entity* const other = queue_.first();
      if (other != nullptr && Order::precedes(*other, *charged_)) {
        queue_.remove(*other);
        preempt(charged_from(now, cause));
        first = other;
      } else if (!behind_limit(now, cause)) {
        return charged_;
      } else {
        reach_limit(now);
        if (timeline_.due(now)) end_waits(now);  // of those it held back, somebody may come first
        cause = Cause::Stop;
      }
    }
    if (first == nullptr) {
      first = queue_.first();
      if (first == nullptr) return pick_background();
      queue_.remove(*first);
    }
    run_unhurried(*first, charged_from(now, cause));
    return first;
  }

  /// Whether it must be asked again by itself, and when.
  HOCKET_IN_LINE bool next_event(Instant& when) const {
    const bool charges = charging();
    if (charges) when = limit_;
    const auto reach = charges ? Order::reach(*charged_) : Order::kAll;
    if constexpr (kAsksWaiters) {
      return timeline_.bound(reach, charges, when, WaitsOf{*this});
    } else {
      return timeline_.bound(reach, charges, when);
    }
  }

  /// The same, `latest` at the latest.
  [[gnu::always_inline]] Instant next_event_until(Instant latest) const {
    auto reach = Order::kAll;
    if (charging()) {
      reach = Order::reach(*charged_);
      latest = smaller(limit_, latest);
    }
    if constexpr (kAsksWaiters) {
      return timeline_.earliest(reach, latest, WaitsOf{*this});
    } else {
      return timeline_.earliest(reach, latest);
    }
  }

  /// Whether an instant has come that somebody waits for.
  bool due(Instant now) const { return timeline_.due(now); }

  /// Whether a ready entity that does not run could have run on.
  bool competes(const Entity& entity, Instant now) const {
    return !entity.best_effort && entity.server.usable(now);
  }
  static bool precedes(const Entity& a, const Entity& b) { return Order::precedes(a, b); }

  Entity* running() const { return charging() ? charged_ : idler_; }
  bool running_in_background() const { return idler_ != nullptr; }
  /// While somebody is charged: when it has used up what it may.
  Instant limit() const { return limit_; }

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
    entity.slot = slot;
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
    entity.slot = slot;
    entity.hold_until = hold_until;
    find_limit();
    // Without budget, it was raised in idle time.
    if (!entity.raised() && !eligible(entity, now)) limit_ = now;
  }

  /// On a circular clock, to be called at least once in a quarter of a turn, masked: instants of
  /// those who want nothing become present ones before they look like future ones. Changes no
  /// decision: budget that was usable before `now` is usable at `now`, and waking joins it anyway.
  void refresh(Instant now) {
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      Entity* const entity = queue_.at(static_cast<Slot>(slot));
      if (entity == nullptr || entity->best_effort) continue;
      const bool blocked = entity->state == Entity::State::Blocked;
      const bool asleep = entity->state == Entity::State::Sleeping && entity->wake_at > now;
      if (blocked || asleep) entity->server.refresh(now);
    }
  }

 private:
  /// Where the timeline keeps no instants: what it would have been told.
  static constexpr bool kAsksWaiters = requires { requires Timeline::kAsks; };
  [[gnu::noinline]] static Instant waits_until(const Entity& entity) {
    const Instant usable = entity.server.time();
    if (entity.state != Entity::State::Sleeping) return usable;
    if (!entity.background && entity.wake_at < usable) return usable;
    return entity.wake_at;
  }
  struct WaitsOf {
    const Scheduler& scheduler;
    Instant operator()(Slot slot) const { return waits_until(*scheduler.queue_.at(slot)); }
  };
  auto first_due(Instant now) {
    if constexpr (kAsksWaiters) {
      return timeline_.first_due(now, WaitsOf{*this});
    } else {
      return timeline_.first_due(now);
    }
  }

  void join(Entity& entity, Slot slot) {
    entity.state = Entity::State::Blocked;
    queue_.join(entity, slot);
  }

  static bool serves_io(const Entity& entity) {
    if constexpr (kServesIo<Server>) return entity.server.serves_io();
    return false;
  }
  /// What is taken of a budget before its time is put down with it, so that nothing is joined to
  /// it that comes back earlier. (I/O virtual CPUs put nothing down while they are ready.)
  static bool may_put_down(const Entity& entity, [[maybe_unused]] Instant now) {
    if constexpr (kServesIo<Server>) return !serves_io(entity) && entity.server.usable(now);
    return true;
  }
  static bool raised(const Entity& entity) { return kCeilings && entity.raised(); }
  static bool eligible(const Entity& entity, Instant now) {
    return !entity.best_effort && entity.server.usable(now);
  }

  bool charging() const { return charged_ != nullptr; }
  bool comes_first(const Entity& entity) const {
    return !charging() || Order::precedes(entity, *charged_);
  }

  // --- Becoming ready ---

  HOCKET_STEP void become_ready(Entity& entity, Instant since) {
    enter_ready(entity, since);
    if (!entity.best_effort) begin_release(entity, since);
  }

  void enter_ready(Entity& entity, Instant since) {
    entity.state = Entity::State::Ready;
    if (entity.background) background_.push_back(entity);
    if (!entity.best_effort) entity.server.unblock_unhurried(since);
  }

  HOCKET_ASIDE Wakeup wake_otherwise(Entity& entity, Instant now, Waker waker) {
    // Noticed before, when its sleep ended, but it has not run since.
    if (entity.state == Entity::State::Ready) return Wakeup::Same;
    Instant since = now;
    if (entity.state == Entity::State::Sleeping) {
      timeline_.clear(entity.rank);
      // A sleep that ended earlier, unnoticed, made it ready then.
      if (entity.wake_at < now) since = entity.wake_at;
    }
    if constexpr (!kOneCore) {
      if (waker == Waker::OtherCore) return wake_from_afar(entity, now, since);
    }
    become_ready(entity, since);
    return go_in(entity, now, waker);
  }

  /// Ready: into the queue, or the timeline. Others may come first.
  HOCKET_ASIDE Wakeup go_in(Entity& entity, Instant now, Waker waker) {
    if (!eligible(entity, now)) {
      if (waker == Waker::Interrupt && !entity.best_effort) {
        entity.server.consume(Charges::interrupt());  // [3]
      }
      return wait_for_budget(entity);
    }
    queue_.insert(entity);
    return comes_first(entity) ? Wakeup::Decide : Wakeup::Same;
  }

  /// Ready, without budget yet.
  HOCKET_APART Wakeup wait_for_budget(Entity& entity) {
    if (!entity.best_effort) timeline_.wait(entity.rank, entity.server.time());
    if (entity.background && running() == nullptr) return Wakeup::Decide;
    if (entity.best_effort || (charging() && entity.rank >= Order::reach(*charged_))) {
      return Wakeup::Same;
    }
    return Wakeup::Rearm;
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

  /// Its core decides when the inter-processor interrupt comes, which the woken one pays for [3]:
  /// first of all, for if that takes the rest of a head, the next one is what is released.
  [[gnu::noinline]] Wakeup wake_from_afar(Entity& entity, Instant now, Instant since) {
    enter_ready(entity, since);
    if (!entity.best_effort) {
      if (comes_first(entity)) {
        entity.server.consume(Charges::interrupt());
        if (may_put_down(entity, now)) entity.server.stop(Charges::smallest());
      }
      begin_release(entity, since);
    }
    return go_in(entity, now, Waker::OtherCore);
  }

  HOCKET_IN_LINE void begin_release(Entity& entity, Instant since) {
    if constexpr (!Order::kKnowsReleases && !Observer::kObserves) return;
    note_release(entity, larger(since, entity.server.time()));
  }
  /// Its head can be used from then on.
  HOCKET_IN_LINE void note_release(Entity& entity, Instant release) {
    Order::released(entity, release);
    if constexpr (Observer::kObserves) {
      entity.release = release;
      Observer::released(entity, release);
    }
  }

  /// It is still ready: the next head counts from its own time on, not from when its turn came.
  HOCKET_IN_LINE void begin_next_release(Entity& entity) {
    if constexpr (Observer::kObserves) {
      begin_release(entity, entity.release);
    } else {
      begin_release(entity, entity.server.time());
    }
  }

  static void end_response(Entity& entity, Instant now) {
    if constexpr (Observer::kObserves) {
      if (entity.release < now) Observer::responded(entity, entity.release, now);
    }
  }

  /// Somebody is due. Who would come first becomes ready, late perhaps, but as of its own instant;
  /// and one of the others, so that they are all found in the end, and none of them twice.
  [[gnu::noinline]] void end_waits(Instant now) {
    for (;;) {
      const auto slot = first_due(now);
      if (slot == Timeline::kNone) return;
      Slot reach = Order::kAll;
      if (const Entity* const first = queue_.first()) reach = Order::reach(*first);
      if (charging()) reach = smaller(reach, Order::reach(*charged_));
      Entity* const waiter = queue_.at(static_cast<Slot>(slot));
      if (waiter == nullptr) return;  // (nobody waits in a slot that nobody owns)
      Entity& entity = *waiter;
      timeline_.clear(entity.rank);
      if (entity.state == Entity::State::Sleeping) become_ready(entity, entity.wake_at);
      if (!entity.best_effort) requeue(entity, now);
      if (slot >= reach) return;
    }
  }

  /// The usual case of a timer: who is due first has slept, has budget and comes first, so it runs
  /// at once. (The others who are due are found later: by rank, they do not come first.)
  HOCKET_IN_LINE Entity* run_first_due(Instant now, Cause cause) {
    const auto slot = static_cast<Slot>(timeline_.first_due(now));
    Entity* const waiter = queue_.at(slot);
    if (waiter == nullptr || waiter->state != Entity::State::Sleeping || waiter->background) {
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
    const Entity* const other = queue_.first();
    const bool first =
        comes_first(*waiter) && (other == nullptr || !Order::precedes(*other, *waiter));
    if (!first || !usable) {
      requeue(*waiter, now);
      return nullptr;
    }
    const Instant from = charged_from(now, cause);
    if (charging()) preempt(from);
    run_woken(*waiter, from);
    return waiter;
  }

  /// The usual case of a stop: nobody is due, and somebody waits for his turn.
  HOCKET_IN_LINE Entity* run_next(Instant now) {
    Entity* const next = charging() ? nullptr : queue_.first();
    if (next == nullptr) return nullptr;
    queue_.remove(*next);
    run(*next, charged_from(now, Cause::Stop));
    return next;
  }

  /// Ready, and not running.
  void requeue(Entity& entity, Instant now) {
    if (entity.server.usable(now)) {
      queue_.insert(entity);
    } else {
      timeline_.wait(entity.rank, entity.server.time());
    }
  }

  // --- Running and stopping ---

  [[gnu::always_inline]] void run(Entity& entity, Instant from) {
    charged_ = &entity;
    idler_ = nullptr;
    began_ = from;
    find_limit();
  }

  /// (Who was not ready just now holds no lock.)
  [[gnu::always_inline]] void run_woken(Entity& entity, Instant from) {
    charged_ = &entity;
    idler_ = nullptr;
    began_ = from;
    limit_ = from + entity.server.rest() - Charges::ending();
  }

  HOCKET_STEP void run_unhurried(Entity& entity, Instant from) { run(entity, from); }

  /// The end of a budget is early by what it costs [5].
  [[gnu::always_inline]] void find_limit() {
    if constexpr (kCeilings) {
      if (charged_->raised()) {
        limit_ = charged_->hold_until;
        return;
      }
    }
    limit_ = began_ + charged_->server.rest() - Charges::ending();
  }

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

  /// What the running entity has used until then. (It may stop before the instant from which it is
  /// charged: who came before has paid for that.)
  Duration used(Instant until) const { return larger(until - began_, Duration(0)); }

  void spare(Duration time) {
    began_ += time;
    if (!raised(*charged_)) limit_ += time;
  }

  /// Who is charged has run until then, and does not run on. It pays for `more`, too.
  HOCKET_STEP Entity& charge(Instant until, Duration more) {
    Entity& entity = *charged_;
    entity.server.consume(used(until) + more);
    charged_ = nullptr;
    return entity;
  }

  /// Who is charged does not run on, but is ready.
  HOCKET_STEP void preempt(Instant until) {
    Entity& entity = charge(until, Duration(0));
    if (entity.server.rest() <= Charges::ending() && !raised(entity)) {
      return end_release(entity, until);  // [5]
    }
    queue_.insert(entity);
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

  /// The head is used up, or what is left of it is not worth an activation: the next refill counts.
  HOCKET_ASIDE void end_release(Entity& entity, Instant now) {
    if (entity.best_effort) return;           // its lock was given back: idle time again
    entity.server.use_up(Charges::ending());  // [5]
    entity.server.stop(Charges::smallest());
    if (!entity.server.usable(now)) entity.server.join_crumbs(Charges::smallest());  // [9]
    end_response(entity, now);
    Observer::exhausted(entity, now, entity.server.time());
    begin_next_release(entity);
    requeue(entity, now);
  }

  HOCKET_IN_LINE void leave(Entity& entity, Instant now) {
    if (entity.state != Entity::State::Ready) {
      if (entity.state == Entity::State::Sleeping) timeline_.clear(entity.rank);
      return;
    }
    if (&entity == charged_) {
      charge(now, Charges::switching());  // [2]
    } else {
      withdraw(entity);
    }
    if constexpr (kCeilings) queue_.settle(entity);  // (most are where they belong)
    if (entity.background) {
      background_.remove(entity);
      if (entity.best_effort) return;
    }
    end_response(entity, now);
    entity.server.stop(Charges::smallest());  // [6]
  }

  /// Ready and not charged: in the queue or the timeline, and perhaps running in the background.
  HOCKET_ASIDE void withdraw(Entity& entity) {
    queue_.remove(entity);
    timeline_.clear(entity.rank);
    if (&entity == idler_) idler_ = nullptr;
  }

  /// Whoever has waited longest for idle time gets it until something else happens.
  [[gnu::noinline]] Entity* pick_background() {
    idler_ = nullptr;
    if (!background_.empty()) idler_ = &background_.next(queue_);
    return idler_;
  }

  Entity* charged_ = nullptr;  // who runs, if its time is charged to a budget
  Entity* idler_ = nullptr;    // who runs in idle time, if somebody does; else nobody runs
  Instant began_;              // since when who is charged has not paid
  Instant limit_;              // when it has used up what it may
  union {  // made by reset(), so that a core that has not begun is nothing but zeros
    char nothing_ = 0;
    TurnsFor<Entity> background_;
  };
  typename Order::template Queue<Entity> queue_;  // eligible, and not running
  Timeline timeline_;
};

}  // namespace hocket
