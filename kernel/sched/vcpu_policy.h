// The default policy: rate-monotonic virtual CPUs, each a sporadic server with budget C and period
// T.
//
// Sources: Danish, Li, West, RTAS 2011 (Main VCPUs, foreground and background); refills.h for the
// server.
//
// Each entity owns a slot of the core's tournament; a lower slot is a higher priority. The slot's
// instant says when the entity wants the core:
//     ready, head refill usable      an instant that has passed    → it competes
//     ready, budget used up          the time of its next refill
//     sleeping                       the instant it sleeps until, or its next refill if that is
//     later blocked                        never
// So `pick` is the first slot that is due, and the timer is needed only for what happens left of
// the running slot: an event of lower priority never interrupts a running loop. It is handled, with
// the instant at which it was due, when its turn comes; the schedule is the same as if it had been
// handled at once.
//
// A lock with a priority ceiling has a slot of its own. Raising an entity moves it to that slot, so
// nothing between its own priority and the ceiling can be picked (immediate ceiling; Burns &
// Wellings). While raised it may run on without budget until `hold_until`, so that nobody else has
// to wait for its next period; what it takes is charged as an overrun. After that instant it falls
// back.
//
// Whoever is preempted with budget left is not charged then: its consumption goes on being counted
// when it runs again. (Charging it in parts makes the same refills: what one part returns touches
// what the next one does, as long as the entity stays ready. Where that is not so,
// RefillList::may_wait says no.)
#pragma once

#include "kernel/base/list.h"
#include "kernel/base/tournament.h"
#include "kernel/sched/policy.h"
#include "kernel/sched/refills.h"

namespace hocket {

/// A virtual CPU as the policy sees it. All state is the policy's; others read it.
template <class Rep, unsigned kRefills>
struct VcpuEntity : ListNode<VcpuEntity<Rep, kRefills>> {
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  enum class State : uint8_t { Blocked, Sleeping, Ready };

  RefillList<Rep, kRefills> refills;
  Instant wake_at;     // while Sleeping
  Instant release;     // since when its present head refill could be used (while Ready)
  Instant hold_until;  // while raised
  Duration consumed;   // of the head, by executions that ended in preemption; not yet charged
  uint16_t rank = 0;   // slot of its own priority
  uint16_t slot = 0;   // slot it is in: its rank, or that of the ceiling it was raised to
  State state = State::Blocked;
  bool ran_out = false;      // the head it was released with is used up; not yet acted upon
  bool background = false;   // may use idle time when it has no budget
  bool best_effort = false;  // has no budget at all: runs in idle time only
  bool unusual = false;      // raised or best-effort: its budget is not what limits it

  bool raised() const { return slot != rank; }
  bool is_ready() const { return state == State::Ready; }
};

template <class Rep, unsigned kMaxSlots, unsigned kRefills,
          class Observer = SilentObserver<VcpuEntity<Rep, kRefills>, BasicInstant<Rep>>>
class VcpuPolicy {
 public:
  using Entity = VcpuEntity<Rep, kRefills>;
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  using Slot = uint16_t;
  static constexpr unsigned kSlots = kMaxSlots;

  /// Removes all entities; `slots` is the number of priorities (entities and ceilings) to come.
  void reset(unsigned slots) {
    tree_.resize(slots);
    for (unsigned i = 0; i < kMaxSlots; ++i) in_slot_[i] = nullptr;
    running_ = woken_ = nullptr;
    running_in_background_ = false;
    limit_ = next_preemption_ = Instant::never();
  }

  /// A blocked virtual CPU joins the core at its slot, with its whole budget.
  /// `minimum`: the smallest part of the budget that is worth a dispatch.
  void add(Entity& entity, Slot slot, Duration budget, Duration period, Duration minimum,
           Instant now, unsigned refill_limit = kRefills) {
    entity.refills.reset(budget, period, now, minimum, refill_limit);
    entity.rank = entity.slot = slot;
    entity.state = Entity::State::Blocked;
    entity.consumed = Duration(0);
    entity.unusual = false;
    in_slot_[slot] = &entity;
  }

  /// An entity without budget joins the core: it runs only when the core would be idle.
  void add_best_effort(Entity& entity, Slot slot) {
    entity.rank = entity.slot = slot;
    entity.best_effort = entity.background = entity.unusual = true;
    entity.state = Entity::State::Blocked;
    in_slot_[slot] = &entity;
  }

  HOCKET_IN_LINE void block(Entity& entity, Instant now) {
    leave(entity, now);
    entity.state = Entity::State::Blocked;
    set(entity, Instant::never());
  }

  HOCKET_IN_LINE void sleep(Entity& entity, Instant now, Instant until) {
    leave(entity, now);
    entity.state = Entity::State::Sleeping;
    entity.wake_at = until;
    // Waking before there is budget would change nothing, but cost an interrupt.
    set(entity, entity.background ? until : larger(until, entity.refills.head().time));
  }

  HOCKET_IN_LINE WakeEffect wake(Entity& entity, Instant since) {
    // Noticed before, when its sleep ended, but it has not run since.
    if (entity.state == Entity::State::Ready) return WakeEffect::None;
    // A sleep that ended earlier, unnoticed, made it ready then.
    const bool overslept = entity.state == Entity::State::Sleeping && entity.wake_at < since;
    become_ready(entity, overslept ? entity.wake_at : since);
    if (!charging()) {
      next_preemption_ = tree_.earliest();
      const bool may_run = competes(entity, since) || (entity.background && running_ == nullptr);
      return may_run ? WakeEffect::Decide : WakeEffect::Timer;
    }
    if (entity.slot > running_->slot) return WakeEffect::None;
    if (entity.best_effort || entity.release > since) {  // not usable yet
      next_preemption_ = smaller(next_preemption_, tree_.at(entity.slot));
      return WakeEffect::Timer;
    }
    if (woken_ == nullptr || entity.slot < woken_->slot) woken_ = &entity;
    return WakeEffect::Decide;
  }

  HOCKET_IN_LINE Entity* pick(Instant now) {
    Entity* woken = woken_;
    if (woken == nullptr || limit_ <= now || next_preemption_ <= now) return pick_due(now);
    // A woken entity comes before the running one, and nobody before that one is due: it takes
    // over.
    run(woken, now, /*background=*/false);
    // What bounds the former one's next preemption bounds this one's; when that is not before its
    // limit, more need not be known.
    if (next_preemption_ < limit_) next_preemption_ = tree_.earliest_before(woken->slot);
    return woken;
  }

  Instant next_event() const {
    return smaller(limit_, next_preemption_);  // a woken one is about to be picked anyway
  }

  /// When the running entity has used up what it may; never when nothing is charged.
  Instant limit() const { return limit_; }

  /// When something that comes before the running entity may want the core.
  Instant next_preemption() const {
    return charging() ? tree_.earliest_before(running_->slot) : tree_.earliest();
  }

  bool competes(const Entity& entity, Instant now) const {
    return !entity.best_effort && entity.refills.usable(now);
  }
  static bool precedes(const Entity& a, const Entity& b) { return a.rank < b.rank; }

  Entity* running() const { return running_; }
  bool running_in_background() const { return running_in_background_; }

  /// The running entity takes a lock whose ceiling has `slot`; see the head of this file. Nothing
  /// happens when it is as high already.
  void raise(Entity& entity, Slot slot, Instant hold_until) {
    if (slot >= entity.slot) return;
    move(entity, slot);
    entity.hold_until = hold_until;
    find_limits();
  }

  /// The entity gives such a lock back and is as high as before it took it: at `slot`, its own rank
  /// for the last lock. Nothing happens when it held on too long and has fallen back already.
  void lower(Entity& entity, Slot slot, Instant hold_until) {
    if (!entity.raised()) return;
    move(entity, slot);
    entity.hold_until = hold_until;
    find_limits();
  }

 private:
  using Tree = Tournament<Instant, kMaxSlots>;

  HOCKET_IN_LINE void become_ready(Entity& entity, Instant since) {
    entity.state = Entity::State::Ready;
    if (entity.background) background_.push_back(entity);
    if (entity.best_effort) {
      tree_.set(entity.slot, Instant::never());
      return;
    }
    entity.refills.unblock(since);
    begin_release(entity);
  }

  /// Somebody runs whose time is charged to a budget.
  bool charging() const { return running_ != nullptr && !running_in_background_; }

  /// Accounts for the running entity's execution since it was last charged. This is done when it
  /// stops running and when it has used up its budget, not before: charging in small parts would
  /// break up its refills for nothing.
  HOCKET_IN_LINE void charge(Instant now) {
    const Duration used = now - charged_until_;
    charged_until_ = now;
    if (running_->best_effort) return;  // holds a lock: the only time that it competes
    if (used > Duration(0) && running_->refills.charge(used)) running_->ran_out = true;
  }

  HOCKET_IN_LINE void leave(Entity& entity, Instant now) {
    if (entity.state != Entity::State::Ready) return;
    if (&entity == running_) {
      if (charging()) charge(now);
      running_ = woken_ = nullptr;
      limit_ = Instant::never();
    } else if (entity.consumed > Duration(0)) {
      charge_consumed(entity);
    }
    if (entity.background) List<Entity>::remove(entity);
    if (!entity.best_effort) {
      if (entity.release < now) Observer::responded(entity, entity.release, now);
      entity.refills.merge_small_head();
      entity.ran_out = false;
    }
    if (entity.unusual && entity.raised()) move(entity, entity.rank);
  }

  /// Acts on the running entity's limits, if it has reached one.
  [[gnu::noinline]] void settle(Instant now) {
    charge(now);
    if (running_->raised()) move(*running_, running_->rank);
    if (running_->ran_out) end_release(*running_, now);
    find_limit();
  }

  /// Who runs from now on is found from the slots.
  HOCKET_IN_LINE Entity* pick_due(Instant now) {
    woken_ = nullptr;
    if (limit_ <= now) settle(now);
    for (;;) {
      const auto due = tree_.first_due(now);
      if (due.slot == Tree::kNone) return pick_background(now);
      Entity& entity = *in_slot_[due.slot];
      if (entity.state == Entity::State::Sleeping) {
        become_ready(entity, entity.wake_at);  // handled late perhaps, but as of its own instant
        continue;
      }
      const bool changed = run(&entity, now, /*background=*/false);
      next_preemption_ = changed ? tree_.earliest_before(due.slot) : due.before;
      return &entity;
    }
  }

  /// The running entity is ready, but does not run on. True: its slot has another instant now.
  HOCKET_IN_LINE bool stop_running(Instant now) {
    Entity& entity = *running_;
    if (running_in_background_) return false;
    const Duration used = now - charged_until_;
    const auto& head = entity.refills.head();
    if (!entity.unusual && entity.refills.may_wait() && used < head.amount &&
        head.time + used <= now) {
      entity.consumed = used;
      return false;
    }
    return stop_in_the_end(entity, now);
  }

  [[gnu::noinline]] bool stop_in_the_end(Entity& entity, Instant now) {
    charge(now);
    if (entity.raised() || entity.best_effort) return false;  // it competes without budget
    // A small rest is not joined to later budget here: it is used when the preempting entity is
    // done, at a dispatch that is counted as that entity's. Joining would delay it for good at each
    // preemption, and a loop that always has work would drift away from its own periods.
    const bool used_up = entity.release <= now && !entity.refills.usable(now);
    if (!entity.ran_out && !used_up) return false;
    end_release(entity, now);
    return true;
  }

  /// What an entity has used that stopped in the middle.
  [[gnu::noinline]] void charge_consumed(Entity& entity) {
    if (entity.refills.charge(entity.consumed)) entity.ran_out = true;
    entity.consumed = Duration(0);
  }

  /// The head is used up, or what is left of it is not worth a dispatch: the next refill counts.
  [[gnu::noinline]] void end_release(Entity& entity, Instant now) {
    entity.ran_out = false;
    entity.refills.merge_small_head();
    if (entity.release < now) Observer::responded(entity, entity.release, now);
    Observer::exhausted(entity, now, entity.refills.head().time);
    begin_release(entity);
  }

  void begin_release(Entity& entity) {
    entity.release = entity.refills.head().time;
    if (!entity.unusual || !entity.raised()) tree_.set(entity.slot, entity.release);
    Observer::released(entity, entity.release);
  }

  /// Whoever has waited longest for idle time gets it until something else happens.
  [[gnu::noinline]] Entity* pick_background(Instant now) {
    Entity* entity = nullptr;
    if (!background_.empty()) {
      entity = &background_.pop_front();
      background_.push_back(*entity);
    }
    run(entity, now, /*background=*/entity != nullptr);
    next_preemption_ = tree_.earliest();
    return entity;
  }

  /// True: the slot of whoever ran before has another instant now.
  HOCKET_IN_LINE bool run(Entity* entity, Instant now, bool background) {
    if (entity == running_ && background == running_in_background_) return false;
    const bool changed = running_ != nullptr && stop_running(now);
    running_ = entity;
    woken_ = nullptr;
    running_in_background_ = background;
    if (background || entity == nullptr) {
      charged_until_ = now;
      limit_ = Instant::never();
      return changed;
    }
    const Instant began = now - entity->consumed;
    const Duration amount = entity->refills.head().amount;
    entity->consumed = Duration(0);
    charged_until_ = began;
    limit_ = began + amount;
    if (entity->unusual) find_limits();
    return changed;
  }

  /// After a change of who runs, or of what limits it.
  [[gnu::noinline]] void find_limits() {
    woken_ = nullptr;
    if (!charging()) {
      limit_ = Instant::never();
      next_preemption_ = tree_.earliest();
      return;
    }
    next_preemption_ = tree_.earliest_before(running_->slot);
    find_limit();
  }

  /// Somebody is charged.
  void find_limit() {
    if (running_->raised()) {
      limit_ = running_->hold_until;
    } else if (running_->best_effort) {
      limit_ = charged_until_;  // its lock was given back: idle time again
    } else {
      limit_ = charged_until_ + running_->refills.head().amount;
    }
  }

  /// An entity that is not ready changes its instant.
  HOCKET_IN_LINE void set(Entity& entity, Instant at) {
    tree_.set(entity.slot, at);
    if (!charging()) {
      next_preemption_ = tree_.earliest();
    } else if (entity.slot < running_->slot) {
      next_preemption_ = smaller(next_preemption_, at);
    }
  }

  [[gnu::noinline]] void move(Entity& entity, Slot slot) {
    tree_.set(entity.slot, Instant::never());
    if (entity.raised()) in_slot_[entity.slot] = nullptr;
    entity.slot = slot;
    in_slot_[slot] = &entity;
    entity.unusual = entity.raised() || entity.best_effort;
    // A raised entity competes whatever its budget; back at its rank its head refill decides.
    const Instant own = entity.best_effort ? Instant::never() : entity.refills.head().time;
    tree_.set(slot, entity.raised() ? Instant(0) : own);
  }

  Tree tree_;
  Entity* in_slot_[kMaxSlots] = {};
  List<Entity> background_;
  Entity* running_ = nullptr;
  Entity* woken_ = nullptr;  // the first of those woken since, left of it; nobody else is due there
  Instant charged_until_;    // when it started, less what it had consumed before
  Instant limit_ = Instant::never();  // when it has used up what it may
  // The earliest instant left of it (of all in idle time), but for woken ones; where that is not
  // before the limit, any instant between the two.
  Instant next_preemption_ = Instant::never();
  bool running_in_background_ = false;
};

}  // namespace hocket
