// The default policy (vcpu_policy.h) for small processors: the same decisions, from less memory and
// code. Nothing is remembered that can be found again by looking at a few slots, and clocks may be
// circular. tests/unit/kernel/circular_time_test.cpp plays both against each other.
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
#pragma once

#include "kernel/base/list.h"
#include "kernel/base/slot_table.h"
#include "kernel/base/tournament.h"
#include "kernel/sched/policy.h"
#include "kernel/sched/refills.h"

namespace hocket {

/// A virtual CPU as the policy sees it. All state is the policy's; others read it.
template <class Rep, unsigned kRefills>
struct SmallVcpuEntity : ListNode<SmallVcpuEntity<Rep, kRefills>> {
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  enum class State : uint8_t { Blocked, Sleeping, Ready };

  RefillList<Rep, kRefills> refills;
  Instant wake_at;     // while Sleeping
  Instant release;     // since when its present head refill could be used (while Ready)
  Instant hold_until;  // while raised
  uint16_t rank = 0;   // slot of its own priority
  uint16_t slot = 0;   // slot it is in: its rank, or that of the ceiling it was raised to
  State state = State::Blocked;
  bool ran_out = false;      // the head it was released with is used up; not yet acted upon
  bool background = false;   // may use idle time when it has no budget
  bool best_effort = false;  // has no budget at all: runs in idle time only

  bool raised() const { return slot != rank; }
  bool is_ready() const { return state == State::Ready; }
};

template <class Rep, unsigned kMaxSlots, unsigned kRefills,
          class Observer = SilentObserver<SmallVcpuEntity<Rep, kRefills>, BasicInstant<Rep>>>
class SmallVcpuPolicy {
 public:
  using Entity = SmallVcpuEntity<Rep, kRefills>;
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  using Slot = uint16_t;
  static constexpr unsigned kSlots = kMaxSlots;

  /// Removes all entities; `slots` is the number of priorities (entities and ceilings) to come.
  void reset(unsigned slots) {
    tree_.resize(slots);
    for (unsigned i = 0; i < kMaxSlots; ++i) in_slot_[i] = nullptr;
    running_ = nullptr;
  }

  /// A blocked virtual CPU joins the core at its slot, with its whole budget.
  /// `minimum`: the smallest part of the budget that is worth a dispatch.
  void add(Entity& entity, Slot slot, Duration budget, Duration period, Duration minimum,
           Instant now, unsigned refill_limit = kRefills) {
    entity.refills.reset(budget, period, now, minimum, refill_limit);
    entity.rank = entity.slot = slot;
    entity.state = Entity::State::Blocked;
    in_slot_[slot] = &entity;
  }

  /// An entity without budget joins the core: it runs only when the core would be idle.
  void add_best_effort(Entity& entity, Slot slot) {
    entity.rank = entity.slot = slot;
    entity.best_effort = entity.background = true;
    entity.state = Entity::State::Blocked;
    in_slot_[slot] = &entity;
  }

  void block(Entity& entity, Instant now) {
    leave(entity, now);
    entity.state = Entity::State::Blocked;
    tree_.clear(entity.slot);
  }

  void sleep(Entity& entity, Instant now, Instant until) {
    leave(entity, now);
    entity.state = Entity::State::Sleeping;
    entity.wake_at = until;
    // Waking before there is budget would change nothing, but cost an interrupt.
    tree_.set(entity.slot, entity.background ? until : larger(until, entity.refills.head().time));
  }

  WakeEffect wake(Entity& entity, Instant since) {
    // Noticed before, when its sleep ended, but it has not run since.
    if (entity.state == Entity::State::Ready) return WakeEffect::None;
    // A sleep that ended earlier, unnoticed, made it ready then.
    const bool overslept = entity.state == Entity::State::Sleeping && entity.wake_at < since;
    become_ready(entity, overslept ? entity.wake_at : since);
    const bool before_running =
        running_ == nullptr || running_in_background_ || entity.slot < running_->slot;
    if (!before_running) return WakeEffect::None;
    const bool may_run = competes(entity, since) || (entity.background && running_ == nullptr);
    return may_run ? WakeEffect::Decide : WakeEffect::Timer;
  }

  Entity* pick(Instant now) {
    settle(now);
    for (;;) {
      const Slot slot = tree_.first_due(now);
      if (slot == Tree::kNone) return pick_background(now);
      Entity& entity = *in_slot_[slot];
      if (entity.state == Entity::State::Sleeping) {
        become_ready(entity, entity.wake_at);  // handled late perhaps, but as of its own instant
        continue;
      }
      return run(&entity, now, /*background=*/false);
    }
  }

  /// When it must be asked again, or `bound` if that is earlier.
  Instant next_event(Instant bound) const { return next_preemption(limit(bound)); }

  /// When the running entity has used up what it may; `bound` when that is earlier, and when
  /// nothing is charged.
  Instant limit(Instant bound) const {
    return charging() ? smaller(running_limit(), bound) : bound;
  }

  /// When something that comes before the running entity may want the core, or `bound`.
  Instant next_preemption(Instant bound) const {
    return charging() ? tree_.earliest_before(running_->slot, bound) : tree_.earliest(bound);
  }

  bool competes(const Entity& entity, Instant now) const {
    return !entity.best_effort && entity.refills.usable(now);
  }
  static bool precedes(const Entity& a, const Entity& b) { return a.rank < b.rank; }

  /// On a circular clock, to be called at least once in a quarter of a turn, masked: instants of
  /// those who want nothing become present ones before they look like future ones. Changes no
  /// decision: budget that was usable before `now` is usable at `now`, and waking joins it anyway.
  void refresh(Instant now) {
    for (unsigned i = 0; i < kMaxSlots; ++i) {
      Entity* entity = in_slot_[i];
      if (entity == nullptr || entity->best_effort) continue;
      const bool blocked = entity->state == Entity::State::Blocked;
      const bool asleep = entity->state == Entity::State::Sleeping && entity->wake_at > now;
      if (blocked || asleep) entity->refills.unblock(now);
    }
    if (!charging()) charged_until_ = now;
  }

  Entity* running() const { return running_; }
  bool running_in_background() const { return running_in_background_; }

  /// The running entity takes a lock whose ceiling has `slot`; see the head of this file. Nothing
  /// happens when it is as high already.
  void raise(Entity& entity, Slot slot, Instant hold_until) {
    if (slot >= entity.slot) return;
    move(entity, slot);
    entity.hold_until = hold_until;
  }

  /// The entity gives such a lock back and is as high as before it took it: at `slot`, its own rank
  /// for the last lock. Nothing happens when it held on too long and has fallen back already.
  void lower(Entity& entity, Slot slot, Instant hold_until) {
    if (!entity.raised()) return;
    move(entity, slot);
    entity.hold_until = hold_until;
  }

 private:
  using Tree = SlotQueue<Instant, kMaxSlots>;

  void become_ready(Entity& entity, Instant since) {
    entity.state = Entity::State::Ready;
    if (entity.background) background_.push_back(entity);
    if (entity.best_effort) {
      tree_.clear(entity.slot);
      return;
    }
    entity.refills.unblock(since);
    begin_release(entity);
  }

  /// Somebody runs whose time is charged to a budget.
  bool charging() const { return running_ != nullptr && !running_in_background_; }

  /// limit() of whom charging() is about.
  Instant running_limit() const {
    if (running_->raised()) return running_->hold_until;
    if (running_->best_effort) return charged_until_;  // its lock was given back: idle time again
    return charged_until_ + running_->refills.head().amount;
  }

  /// Accounts for the running entity's execution since it was last charged. This is done when it
  /// stops running and when it has used up its budget, not before: charging in small parts would
  /// break up its refills for nothing.
  void charge(Instant now) {
    const Duration used = now - charged_until_;
    charged_until_ = now;
    if (running_->best_effort) return;  // holds a lock: the only time that it competes
    if (used > Duration(0) && running_->refills.charge(used)) running_->ran_out = true;
  }

  void leave(Entity& entity, Instant now) {
    if (entity.state != Entity::State::Ready) return;
    if (&entity == running_) {
      if (charging()) charge(now);
      running_ = nullptr;
    }
    if (entity.background) List<Entity>::remove(entity);
    if (!entity.best_effort) {
      if (entity.release < now) Observer::responded(entity, entity.release, now);
      entity.refills.merge_small_head();
      entity.ran_out = false;
    }
    if (entity.raised()) move(entity, entity.rank);
  }

  /// Acts on the running entity's limits, if it has reached one.
  void settle(Instant now) {
    if (!charging() || running_limit() > now) return;
    charge(now);
    if (running_->raised()) move(*running_, running_->rank);
    if (running_->ran_out) end_release(*running_, now);
  }

  /// The running entity is ready, but does not run on.
  void stop_running(Instant now) {
    Entity& entity = *running_;
    if (running_in_background_) return;
    charge(now);
    if (entity.raised() || entity.best_effort) return;  // no budget decides whether it competes
    // A small rest is not joined to later budget here: it is used when the preempting entity is
    // done, at a dispatch that is counted as that entity's. Joining would delay it for good at each
    // preemption, and a loop that always has work would drift away from its own periods.
    const bool used_up = entity.release <= now && !entity.refills.usable(now);
    if (entity.ran_out || used_up) end_release(entity, now);
  }

  /// The head is used up, or what is left of it is not worth a dispatch: the next refill counts.
  void end_release(Entity& entity, Instant now) {
    entity.ran_out = false;
    entity.refills.merge_small_head();
    if (entity.release < now) Observer::responded(entity, entity.release, now);
    Observer::exhausted(entity, now, entity.refills.head().time);
    begin_release(entity);
  }

  void begin_release(Entity& entity) {
    entity.release = entity.refills.head().time;
    if (!entity.raised()) tree_.set(entity.slot, entity.release);
    Observer::released(entity, entity.release);
  }

  /// Whoever has waited longest for idle time gets it until something else happens.
  Entity* pick_background(Instant now) {
    if (background_.empty()) return run(nullptr, now, /*background=*/false);
    Entity& entity = background_.pop_front();
    background_.push_back(entity);
    return run(&entity, now, /*background=*/true);
  }

  Entity* run(Entity* entity, Instant now, bool background) {
    if (entity == running_ && background == running_in_background_) return entity;
    if (running_ != nullptr) stop_running(now);
    running_ = entity;
    running_in_background_ = background;
    charged_until_ = now;
    return entity;
  }

  void move(Entity& entity, Slot slot) {
    tree_.clear(entity.slot);
    if (entity.raised()) in_slot_[entity.slot] = nullptr;
    entity.slot = slot;
    in_slot_[slot] = &entity;
    // A raised entity competes whatever its budget; back at its rank its head refill decides.
    if (entity.raised()) {
      tree_.set(slot, charged_until_);  // an instant that has passed
    } else if (!entity.best_effort) {
      tree_.set(slot, entity.refills.head().time);
    }
  }

  Tree tree_;
  Entity* in_slot_[kMaxSlots] = {};
  List<Entity> background_;
  Entity* running_ = nullptr;
  Instant charged_until_;
  bool running_in_background_ = false;
};

}  // namespace hocket
