// The state machine that all policies share: ready, sleeping, blocked, charged, raised, background.
//
// It is put together of three parts, each a small file:
//   server     what supply an entity has       sporadic_server.h, pibs_server.h, time_slice.h, unlimited.h
//   order      who of the ready comes first    priority_order.h, deadline_order.h
//   timeline   who is due when                 base/tournament.h, base/priority_search_tree.h,
//                                              base/few_instants.h
//
//               wake                     chosen
//   Blocked ─────────▶ Ready, eligible ─────────▶ running       in the order's queue, or running
//   Sleeping ────────▶   ▲    │                    │   │        in the timeline while it sleeps
//      its instant       │    │ preempted          │   │ used up, or refill yet to come
//                        │    ╰────────────────────╯   ▼
//                        ╰───────────────────── Ready, waiting  in the timeline
//
// The running entity is in none of them. An instant in the timeline matters only if its owner would
// come before the running entity: an event of lower priority never interrupts a running loop. Its
// owner stays in the timeline, due, until it comes first of all, and then becomes ready as of the
// instant at which it was due; the schedule is the same as if it had become ready at once. So a
// decision moves one entity at most, however many are due.
//
// Who pays: docs/decisions/who-pays.md; the rules' numbers are in brackets. What an entity has used
// is kept by its server as one number, and nothing is written to its refills until a head ends.
//
// Here is what happens to an entity: it wakes, runs, is preempted or stops, and pays for that. Who
// runs next is decided on top of it, in scheduler.h; the usual case of a wake-up is decided here.
#pragma once

#include "kernel/base/construct.h"
#include "kernel/sched/entity.h"
#include "kernel/sched/order.h"
#include "kernel/sched/policy.h"
#include "kernel/sched/two_parts.h"

namespace hocket {

template <class Rep, class Server, class Order, class Timeline, class Charges, class Observer,
          bool kHasCeilings, bool kHasBestEffort>
class StateMachine {
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

  // --- What happens ---

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
    wait(entity, at_once ? until : entity.server.time());
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
    note_work();
    const bool usable = entity.server.unblock(now);
    if (kHasUsual && usable) {
      note_release(entity, now);
    } else {
      begin_release(entity, now);
    }
    if (kUsuallyBehind && usable && !comes_first(entity)) {
      queue_.insert(entity);
      otherwise = Wakeup::Same;
      return false;
    }
    if (!usable || !comes_first(entity) || due_before_first(entity, now)) {
      otherwise = go_in(entity, now, waker);
      return false;
    }
    const Instant from = waker == Waker::Interrupt ? now - Charges::entry() : now;  // [1]
    if (charging()) preempt(from);
    run_woken(entity, from);
    forget_work();
    return true;
  }

  // --- Parts of virtual CPUs that have two (two_parts.h) ---

  /// Who has used up this part, and goes on in the other one since the last time it was asked;
  /// null: nobody. It is blocked here.
  Entity* take_departed()
    requires kSplits
  {
    Entity* const departed = departed_;
    departed_ = nullptr;
    return departed;
  }
  /// Whether a blocked entity that is wanted from then on should rather be in its other part.
  static bool better_elsewhere(const Entity& entity, Instant wanted)
    requires kSplits
  {
    return entity.other != nullptr && other_comes_first(entity, wanted, wanted);
  }
  /// Somebody has come to this part, which was blocked, by an inter-processor interrupt that it
  /// pays for [3]; it is wanted from `wanted` on. pick() must follow.
  void arrive(Entity& entity, Instant now, Instant wanted)
    requires kSplits
  {
    entity.server.consume(Charges::interrupt());
    entity.server.stop(Charges::smallest());
    sleep(entity, now, wanted);
  }

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
  /// Its two parts: the limit of who runs, and when somebody may come who comes before.
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

  Entity* running() const { return charging() ? charged_ : idler_; }
  bool running_in_background() const { return idler_ != nullptr; }
  /// While somebody is charged: when it has used up what it may.
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
    static constexpr bool kByKey = StateMachine::kByKey;
    const StateMachine& machine;
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

  // --- Becoming ready ---

  HOCKET_STEP void become_ready(Entity& entity, Instant since) {
    enter_ready(entity, since);
    if (!entity.best_effort) begin_release(entity, since);
  }

  void enter_ready(Entity& entity, Instant since) {
    entity.state = Entity::State::Ready;
    if (entity.background) background_.push_back(entity);
    note_work();
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
    if (comes_first(entity)) return Wakeup::Decide;
    forget_work();
    return Wakeup::Same;
  }

  /// Ready, without budget yet.
  HOCKET_APART Wakeup wait_for_budget(Entity& entity) {
    if (!entity.best_effort) wait(entity, entity.server.time());
    if (entity.background && running() == nullptr) return Wakeup::Decide;
    if (entity.best_effort) return Wakeup::Same;
    if constexpr (Order::kByRank || kByKey) {
      if (charging() && !due_precedes(entity, *charged_)) return Wakeup::Same;
    }
    return Wakeup::Rearm;
  }

  /// What is taken of a budget before its time is put down with it, so that nothing is joined to
  /// it that comes back earlier. (I/O virtual CPUs put nothing down while they are ready.)
  static bool may_put_down(const Entity& entity, [[maybe_unused]] Instant now) {
    if constexpr (Server::kServesIo) return !entity.server.serves_io() && entity.server.usable(now);
    return true;
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

  // --- Releases and responses, which observers are told ---

  HOCKET_IN_LINE void begin_release(Entity& entity, Instant since) {
    if constexpr (Observer::kObserves) note_release(entity, larger(since, entity.server.time()));
  }
  /// Its head can be used from then on.
  HOCKET_IN_LINE void note_release(Entity& entity, Instant release) {
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
      if constexpr (kSplits) return end_response_of_part(entity, now);
      if (entity.release < now) Observer::responded(entity, entity.release, now);
    }
  }
  /// It began in the first part, if it has come from there.
  static void end_response_of_part(Entity& entity, Instant now) {
    const Instant release = entity.release - entity.before;
    entity.before = Duration(0);
    if (release < now) Observer::responded(entity, release, now);
  }

  // --- Running and stopping ---

  [[gnu::always_inline]] void run(Entity& entity, Instant from) {
    forget_quiet();
    charged_ = &entity;
    idler_ = nullptr;
    began_ = from;
    find_limit();
  }

  /// (Who was not ready just now holds no lock.)
  [[gnu::always_inline]] void run_woken(Entity& entity, Instant from) {
    forget_quiet();
    charged_ = &entity;
    idler_ = nullptr;
    began_ = from;
    limit_ = from + entity.server.rest() - Charges::ending();
  }

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

  /// What the running entity has used until then. (It may stop before the instant from which it is
  /// charged: who came before has paid for that.)
  Duration used(Instant until) const { return larger(until - began_, Duration(0)); }

  /// Who is charged has run until then, and does not run on. It pays for `more`, too.
  HOCKET_STEP Entity& charge(Instant until, Duration more) {
    Entity& entity = *charged_;
    entity.server.consume(used(until) + more);
    charged_ = nullptr;
    forget_quiet();
    return entity;
  }

  /// Who is charged does not run on, but is ready.
  HOCKET_STEP void preempt(Instant until) {
    Entity& entity = charge(until, Duration(0));
    if (!has_worked() && entity.server.rest() <= Charges::ending() && !raised(entity)) {
      return end_release(entity, until);  // [5]
    }
    queue_.insert(entity);
  }

  // --- One long piece of work in a decision ---

  void note_work() {
    if constexpr (kOneLong) work_.done = true;
  }
  /// The decision has been made.
  void forget_work() {
    if constexpr (kOneLong) work_.done = false;
  }
  /// It stops.
  HOCKET_STEP void stop_server(Entity& entity) {
    if constexpr (kOneLong) {
      if (entity.server.stop(Charges::smallest())) note_work();
    } else {
      static_cast<void>(entity.server.stop(Charges::smallest()));  // [6]
    }
  }
  /// Refills have been put in order in this decision. What else is long is left to the next one:
  /// who is due stays so, and the timer brings it at once; who is preempted with too little left
  /// ends when its turn comes, and has kept what that costs.
  bool has_worked() const {
    if constexpr (kOneLong) return work_.done;
    return false;
  }

  /// The head is used up, or what is left of it is not worth an activation: the next refill counts.
  HOCKET_ASIDE void end_release(Entity& entity, Instant now) {
    if (entity.best_effort) return;  // its lock was given back: idle time again
    [[maybe_unused]] const Instant head = entity.server.time();
    if constexpr (!Server::kFew) entity.server.use_up(Charges::ending());  // [5]
    stop_server(entity);
    if (!entity.server.usable(now)) entity.server.join_crumbs(Charges::smallest());  // [9]
    Order::end_turn(entity, now);
    if constexpr (kSplits) {
      if (entity.other != nullptr && departs(entity, head, now)) return;
    }
    end_response(entity, now);
    Observer::exhausted(entity, now, entity.server.time());
    begin_next_release(entity);
    requeue(entity, now);
  }

  /// It has used up the head that could be used since `head`, and goes on in its other part if that
  /// can be used before the next one: from the first part to the second in the same response.
  [[gnu::noinline]] bool departs(Entity& entity, Instant head, Instant now) {
    Entity& other = *entity.other;
    const Instant wanted = wanted_after(entity, head, now);
    if (!other_comes_first(entity, now, wanted)) return false;
    if (entity.second) {
      end_response(entity, now);
      Observer::exhausted(entity, now, larger(now, other.server.time()));
    } else if constexpr (Observer::kObserves) {
      other.before = wanted - entity.release;
    }
    other.wanted = wanted;
    entity.state = Entity::State::Blocked;
    departed_ = &entity;
    return true;
  }

  /// Ready, and not running.
  void requeue(Entity& entity, Instant now) {
    if (entity.server.usable(now)) {
      queue_.insert(entity);
    } else {
      wait(entity, entity.server.time());
    }
  }

  /// It is ready no longer.
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
    stop_after(entity, now, Duration(0));
  }
  /// Its response is over. It pays for `more`.
  HOCKET_IN_LINE void stop_after(Entity& entity, Instant now, Duration more) {
    end_response(entity, now);
    Order::stopped(entity);
    entity.server.consume(more);
    stop_server(entity);  // [6]
  }

  /// Ready and not charged: in the queue or the timeline, and perhaps running in the background.
  HOCKET_ASIDE void withdraw(Entity& entity) {
    queue_.remove(entity);
    timeline_.clear(entity.rank);
    if (&entity == idler_) idler_ = nullptr;
  }

  /// Another entity runs from now on, or none.
  [[gnu::always_inline]] void forget_quiet() {
    if constexpr (kRemembersQuiet) quiet_until_ = Instant();
  }

  struct NoParts {};
  struct NoQuiet {};
  struct Work {
    bool done = false;
  };
  struct NoWork {};
  Entity* charged_ = nullptr;  // who runs, if its time is charged to a budget
  Entity* idler_ = nullptr;    // who runs in idle time, if somebody does; else nobody runs
  Instant began_;              // since when who is charged has not paid
  Instant limit_;              // when it has used up what it may
  [[no_unique_address]] mutable ChosenType<kRemembersQuiet, Instant, NoQuiet> quiet_until_{};
  [[no_unique_address]] ChosenType<kSplits, Entity*, NoParts> departed_{};
  [[no_unique_address]] ChosenType<kOneLong, Work, NoWork> work_{};
  union {  // made by reset(), so that a core that has not begun is nothing but zeros
    char nothing_ = 0;
    TurnsFor<Entity, Server, Order> background_;
  };
  typename Order::template Queue<Entity> queue_;  // eligible, and not running
  Timeline timeline_;
};

}  // namespace hocket
