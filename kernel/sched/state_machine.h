// The state machine that all policies share: ready, sleeping, blocked, charged, raised, background.
//
// It is built from three parts, each in a small file:
//   server     what supply an entity has       sporadic_server.h, pibs_server.h, time_slice.h,
//                                              unlimited.h
//   order      which ready entity comes first  priority_order.h, deadline_order.h
//   timeline   which entity is due when        base/tournament.h, base/priority_search_tree.h,
//                                              base/few_instants.h
//
//               wake                     chosen
//   Blocked ─────────▶ Ready, eligible ─────────▶ running       in the order's queue, or running
//   Sleeping ────────▶   ▲    │                    │   │        in the timeline while it sleeps
//      its instant       │    │ preempted          │   │ used up, or refill yet to come
//                        │    ╰────────────────────╯   ▼
//                        ╰───────────────────── Ready, waiting  in the timeline
//
// The running entity is in neither the queue nor the timeline. An instant in the timeline matters
// only if its entity would precede the running one: an event of lower priority never interrupts a
// running loop. A due entity stays in the timeline until it precedes all others. It then becomes
// ready as of the instant at which it was due, so the schedule is the same as if it had become
// ready at once. A decision therefore moves at most one entity, however many are due.
//
// Numbers in brackets are the rules of docs/decisions/who-pays.md, which says what each entity pays
// for. A server keeps what its entity has used as one number, and changes its refills only when a
// head ends.
//
// This file defines what happens to an entity: it wakes, runs, is preempted or stops, and pays for
// that. scheduler.h decides on top of it which entity runs next; only the usual case of a wake-up
// is decided here. waiting.h holds the state itself and the questions about waiting entities. Legal
// context: the core is locked, and `now` never decreases.
#pragma once

#include "kernel/sched/two_parts.h"
#include "kernel/sched/waiting.h"

namespace hocket {

template <class Rep, class Server, class Order, class Timeline, class Charges, class Observer,
          bool kHasCeilings, bool kHasBestEffort>
class StateMachine : public Waiting<Rep, Server, Order, Timeline, Charges, Observer, kHasCeilings,
                                    kHasBestEffort> {
  using Base =
      Waiting<Rep, Server, Order, Timeline, Charges, Observer, kHasCeilings, kHasBestEffort>;

 public:
  using Base::kByKey, Base::kCeilings, Base::kHasUsual, Base::kOneCore, Base::kOneLong,
      Base::kSplits, Base::kUsuallyBehind;
  using Base::running;
  using typename Base::Duration, typename Base::Entity, typename Base::Instant;

  // --- Events of an entity ---

  HOCKET_IN_LINE void block(Entity& entity, Instant now) {
    leave(entity, now);
    entity.state = Entity::State::Blocked;
  }

  HOCKET_IN_LINE void sleep(Entity& entity, Instant now, Instant until) {
    leave(entity, now);
    entity.state = Entity::State::Sleeping;
    entity.wake_at = until;
    // Waking before there is budget would change nothing and would cost an interrupt.
    const bool at_once = entity.background || entity.server.usable(until);
    wait(entity, at_once ? until : entity.server.time());
  }

  [[nodiscard]] Wakeup wake(Entity& entity, Instant now, Waker waker) {
    Wakeup answer = Wakeup::Takes;
    static_cast<void>(takes_over(entity, now, waker, answer));
    return answer;
  }

  /// Wakes the entity, and decides at once in the usual case: it was blocked, has budget and comes
  /// first. Returns true if it runs from now on. Every other case is out of line, so that the usual
  /// one saves few registers; `otherwise` then says what must follow.
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

  /// The entity that has used up this part and continues in its other part, since the last call;
  /// null if there is none. It is blocked on this core.
  Entity* take_departed()
    requires kSplits
  {
    Entity* const departed = departed_;
    departed_ = nullptr;
    return departed;
  }
  /// Whether a blocked entity that wants to run from `wanted` on should do so in its other part.
  static bool better_elsewhere(const Entity& entity, Instant wanted)
    requires kSplits
  {
    return entity.other != nullptr && other_comes_first(entity, wanted, wanted);
  }
  /// A virtual CPU has moved to this part, which was blocked, by an inter-processor interrupt that
  /// it pays for [3]. It wants to run from `wanted` on. pick() must follow.
  void arrive(Entity& entity, Instant now, Instant wanted)
    requires kSplits
  {
    entity.server.consume(Charges::interrupt());
    entity.server.stop(Charges::smallest());
    sleep(entity, now, wanted);
  }

 protected:
  using Base::background_, Base::began_, Base::charged_, Base::idler_, Base::limit_, Base::queue_,
      Base::timeline_;
  using Base::charging, Base::comes_first, Base::due_before_first, Base::due_precedes,
      Base::eligible, Base::forget_quiet, Base::raised, Base::wait;

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
    // The wake-up took effect when its sleep ended; it has not run since.
    if (entity.state == Entity::State::Ready) return Wakeup::Same;
    Instant since = now;
    if (entity.state == Entity::State::Sleeping) {
      timeline_.clear(entity.rank);
      // A sleep that ended earlier, unnoticed, made the entity ready at that time.
      if (entity.wake_at < now) since = entity.wake_at;
    }
    if constexpr (!kOneCore) {
      if (waker == Waker::OtherCore) return wake_from_afar(entity, now, since);
    }
    become_ready(entity, since);
    return go_in(entity, now, waker);
  }

  /// Puts a ready entity into the queue or the timeline. Says what must follow.
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

  /// The entity is ready, but has no budget yet.
  HOCKET_APART Wakeup wait_for_budget(Entity& entity) {
    if (!entity.best_effort) wait(entity, entity.server.time());
    if (entity.background && running() == nullptr) return Wakeup::Decide;
    if (entity.best_effort) return Wakeup::Same;
    if constexpr (Order::kByRank || kByKey) {
      if (charging() && !due_precedes(entity, *charged_)) return Wakeup::Same;
    }
    return Wakeup::Rearm;
  }

  /// Whether consumption may be recorded now. What is taken before the head's time has come is
  /// recorded together with the head, so that nothing that returns earlier is joined to it. An I/O
  /// virtual CPU records nothing while it is ready.
  static bool may_put_down(const Entity& entity, [[maybe_unused]] Instant now) {
    if constexpr (Server::kServesIo) return !entity.server.serves_io() && entity.server.usable(now);
    return true;
  }

  /// The woken entity's core decides when the inter-processor interrupt arrives. The entity pays
  /// for that interrupt [3] before anything else: if it uses up the rest of a head, the next head
  /// is the one that is released.
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

  // --- Releases and responses, reported to observers ---

  HOCKET_IN_LINE void begin_release(Entity& entity, Instant since) {
    if constexpr (Observer::kObserves) note_release(entity, larger(since, entity.server.time()));
  }
  /// The entity's head is usable from `release` on.
  HOCKET_IN_LINE void note_release(Entity& entity, Instant release) {
    if constexpr (Observer::kObserves) {
      entity.release = release;
      Observer::released(entity, release);
    }
  }

  /// The entity is still ready. Its next head counts from that head's own time, not from when the
  /// entity got its turn.
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
  /// end_response() for a part. A response that began in the first part is measured from there.
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

  /// run() for an entity that was blocked or asleep. It holds no lock, so the ceiling test is
  /// skipped.
  [[gnu::always_inline]] void run_woken(Entity& entity, Instant from) {
    forget_quiet();
    charged_ = &entity;
    idler_ = nullptr;
    began_ = from;
    limit_ = from + entity.server.rest() - Charges::ending();
  }

  /// Sets the limit. It is early by what the end of a budget costs [5].
  [[gnu::always_inline]] void find_limit() {
    if constexpr (kCeilings) {
      if (charged_->raised()) {
        limit_ = charged_->hold_until;
        return;
      }
    }
    limit_ = began_ + charged_->server.rest() - Charges::ending();
  }

  /// What the running entity has used until `until`. It may stop before the instant from which it
  /// is charged; the entity before it has paid for that time.
  Duration used(Instant until) const { return larger(until - began_, Duration(0)); }

  /// Charges the running entity until `until`, and for `more`. It does not run on.
  HOCKET_STEP Entity& charge(Instant until, Duration more) {
    Entity& entity = *charged_;
    entity.server.consume(used(until) + more);
    charged_ = nullptr;
    forget_quiet();
    return entity;
  }

  /// The charged entity stops running, but is still ready.
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
  /// Call this when the decision has been made.
  void forget_work() {
    if constexpr (kOneLong) work_.done = false;
  }
  /// The entity stops, which may record its consumption.
  HOCKET_STEP void stop_server(Entity& entity) {
    if constexpr (kOneLong) {
      if (entity.server.stop(Charges::smallest())) note_work();
    } else {
      static_cast<void>(entity.server.stop(Charges::smallest()));  // [6]
    }
  }
  /// Whether this decision has put refills in order, which is long work. Other long work is left to
  /// the next decision: a due entity stays due, and the timer brings it at once. An entity that is
  /// preempted with too little left ends when its turn comes; what it has left pays for that.
  bool has_worked() const {
    if constexpr (kOneLong) return work_.done;
    return false;
  }

  /// The entity has used up its head, or the rest is not worth an activation. The next refill
  /// counts.
  HOCKET_ASIDE void end_release(Entity& entity, Instant now) {
    if (entity.best_effort) return;  // its lock was released: back to idle time
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

  /// The entity has used up the head that was usable since `head`. If its other part can be used
  /// before its next head, it continues there. From the first part to the second, that is one
  /// response.
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

  /// Puts an entity that is ready but not running into the queue or the timeline.
  void requeue(Entity& entity, Instant now) {
    if (entity.server.usable(now)) {
      queue_.insert(entity);
    } else {
      wait(entity, entity.server.time());
    }
  }

  /// The entity is no longer ready.
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
    if constexpr (kCeilings) queue_.settle(entity);  // (most are there already)
    if (entity.background) {
      background_.remove(entity);
      if (entity.best_effort) return;
    }
    stop_after(entity, now, Duration(0));
  }
  /// The entity's response is over. It pays for `more`.
  HOCKET_IN_LINE void stop_after(Entity& entity, Instant now, Duration more) {
    end_response(entity, now);
    Order::stopped(entity);
    entity.server.consume(more);
    stop_server(entity);  // [6]
  }

  /// Removes an entity that is ready and not charged from the queue or the timeline. It may be
  /// running in the background.
  HOCKET_ASIDE void withdraw(Entity& entity) {
    queue_.remove(entity);
    timeline_.clear(entity.rank);
    if (&entity == idler_) idler_ = nullptr;
  }

  struct NoParts {};
  struct Work {
    bool done = false;
  };
  struct NoWork {};
  [[no_unique_address]] ChosenType<kSplits, Entity*, NoParts> departed_{};
  [[no_unique_address]] ChosenType<kOneLong, Work, NoWork> work_{};
};

}  // namespace hocket
