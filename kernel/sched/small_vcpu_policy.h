// The default policy (vcpu_policy.h) for small processors: the same decisions, with as few
// comparisons of instants as they can be made with, since each is four bytes long. Clocks may be
// circular. tests/unit/kernel/circular_time_test.cpp plays both against each other.
//
// Sources: Danish, Li, West, RTAS 2011 (Main VCPUs, foreground and background); refills.h for the
// server.
//
// Each entity owns a slot; a lower slot is a higher priority. Two sets of slots say all:
//
//   slot       0 1 2 3 4 5 6 7
//   due        . . 1 . . 1 . .     ready with budget: the first one runs
//   waiting    . . . 1 . . 1 .     sleeping, or out of budget: until instant_[slot]
//
//     ready, head refill usable   due
//     ready, budget used up       waiting for its next refill
//     sleeping                    waiting for its instant, or its next refill if that is later
//     blocked                     neither
//
// The earliest of the instants waited for (or one before it) is remembered, so that looking whether
// anything has happened is one comparison. The timer is needed for the running entity's limit, and
// for those that wait left of it: an event of lower priority never interrupts a running loop.
//
// A lock with a priority ceiling has a slot of its own. Raising an entity moves it to that slot, so
// nothing between its own priority and the ceiling can be picked (immediate ceiling; Burns &
// Wellings). While raised it may run on without budget until `hold_until`, so that nobody else has
// to wait for its next period; what it takes is charged as an overrun. After that instant it falls
// back. A system without such locks says so (kCeilings) and has nothing of it.
#pragma once

#include "kernel/base/list.h"
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
  uint8_t rank = 0;    // slot of its own priority
  uint8_t slot = 0;    // slot it is in: its rank, or that of the ceiling it was raised to
  uint16_t flag = 0;   // of that slot, in a set
  State state = State::Blocked;
  bool ran_out = false;      // the head it was released with is used up; not yet acted upon
  bool background = false;   // may use idle time when it has no budget
  bool best_effort = false;  // has no budget at all: runs in idle time only

  bool raised() const { return slot != rank; }
  bool is_ready() const { return state == State::Ready; }
};

template <class Rep, unsigned kMaxSlots, unsigned kRefills,
          class Observer = SilentObserver<SmallVcpuEntity<Rep, kRefills>, BasicInstant<Rep>>,
          bool kCeilings = true>
class SmallVcpuPolicy {
 public:
  using Entity = SmallVcpuEntity<Rep, kRefills>;
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  using Slot = uint8_t;
  static constexpr unsigned kSlots = kMaxSlots;
  static_assert(kMaxSlots <= 16);
  // Whether anybody asks when the present head refill could be used first.
  static constexpr bool kNotesReleases = kCeilings || Observer::kObserves;

  /// Removes all entities.
  void reset(unsigned slots) {
    HOCKET_CHECK(slots <= kMaxSlots);
    static_cast<void>(slots);
    due_ = waiting_ = 0;
    for (Entity*& entity : in_slot_) entity = nullptr;
    running_ = charged_ = nullptr;
  }

  /// A blocked virtual CPU joins the core at its slot, with its whole budget.
  /// `minimum`: the smallest part of the budget that is worth a dispatch.
  void add(Entity& entity, Slot slot, Duration budget, Duration period, Duration minimum,
           Instant now, unsigned refill_limit = kRefills) {
    entity.refills.reset(budget, period, now, minimum, refill_limit);
    join(entity, slot);
  }

  /// An entity without budget joins the core: it runs only when the core would be idle.
  void add_best_effort(Entity& entity, Slot slot) {
    entity.best_effort = entity.background = true;
    join(entity, slot);
  }

  void block(Entity& entity, Instant now) {
    leave(entity, now);
    entity.state = Entity::State::Blocked;
  }

  void sleep(Entity& entity, Instant now, Instant until) {
    leave(entity, now);
    entity.state = Entity::State::Sleeping;
    entity.wake_at = until;
    // Waking before there is budget would change nothing, but cost an interrupt.
    const Instant head = entity.refills.head().time;
    wait_until(entity, entity.background || head < until ? until : head);
  }

  WakeEffect wake(Entity& entity, Instant since) {
    // Noticed before, when its sleep ended, but it has not run since.
    if (entity.state == Entity::State::Ready) return WakeEffect::None;
    Instant at = since;
    if (entity.state == Entity::State::Sleeping) {
      waiting_ &= static_cast<Mask>(~flag(entity));
      // A sleep that ended earlier, unnoticed, made it ready then.
      if (entity.wake_at < since) at = entity.wake_at;
    }
    become_ready(entity, at, since);
    if (charging() && entity.slot >= charged_->slot) return WakeEffect::None;
    const bool may_run = is_due(entity) || (entity.background && running_ == nullptr);
    return may_run ? WakeEffect::Decide : WakeEffect::Timer;
  }

  Entity* pick(Instant now) {
    if (charging() && limit_ <= now) end_of_limit(now);
    if (waiting_ != 0 && earliest_ <= now) look_at_waiting(now);
    Entity* const charged = due_ != 0 ? first_due() : nullptr;
    if (charged != charged_) {
      if (charging()) stop_running(now);
      charged_until_ = now;
      charged_ = charged;
      if (charging()) set_limit();
    }
    running_ = charged != nullptr ? charged : next_in_background();
    return running_;
  }

  /// Whether it must be asked again by itself, and when: at `when` at the latest. Where time has
  /// passed unnoticed since the last pick(), that may be earlier than needed.
  bool next_event(Instant& when) const {
    if (!charging()) {
      when = earliest_;
      return waiting_ != 0;
    }
    when = limit_;
    const auto before = static_cast<Mask>(waiting_ & (flag(*charged_) - 1));
    if (before != 0) when = earliest_of(before, when);
    return true;
  }

  bool competes(const Entity& entity, Instant now) const {
    return !entity.best_effort && entity.refills.usable(now);
  }
  static bool precedes(const Entity& a, const Entity& b) { return a.rank < b.rank; }

  /// On a circular clock, to be called at least once in a quarter of a turn, masked: instants of
  /// those who want nothing become present ones before they look like future ones. Changes no
  /// decision: budget that was usable before `now` is usable at `now`, and waking joins it anyway.
  void refresh(Instant now) {
    for (Entity* entity : in_slot_) {
      if (entity == nullptr || entity->best_effort) continue;
      const bool blocked = entity->state == Entity::State::Blocked;
      const bool asleep = entity->state == Entity::State::Sleeping && entity->wake_at > now;
      if (blocked || asleep) entity->refills.unblock(now);
    }
    if (!charging()) charged_until_ = now;
  }

  Entity* running() const { return running_; }
  bool running_in_background() const { return running_ != charged_; }

  /// The running entity takes a lock whose ceiling has `slot`; see the head of this file. Nothing
  /// happens when it is as high already.
  void raise(Entity& entity, Slot slot, Instant hold_until)
    requires kCeilings
  {
    if (slot >= entity.slot) return;
    move(entity, slot);
    hold(entity, hold_until);
  }

  /// The entity gives such a lock back and is as high as before it took it: at `slot`, its own rank
  /// for the last lock. Nothing happens when it held on too long and has fallen back already.
  void lower(Entity& entity, Slot slot, Instant hold_until)
    requires kCeilings
  {
    if (!entity.raised()) return;
    move(entity, slot);
    hold(entity, hold_until);
  }

 private:
  template <bool kFew, class = void>
  struct MaskFor {
    using Type = uint8_t;
  };
  template <class Unused>
  struct MaskFor<false, Unused> {
    using Type = uint16_t;
  };
  using Mask = typename MaskFor<(kMaxSlots <= 8)>::Type;

  static Mask flag(const Entity& entity) { return static_cast<Mask>(entity.flag); }
  static bool raised(const Entity& entity) { return kCeilings && entity.raised(); }
  bool is_due(const Entity& entity) const { return (due_ & flag(entity)) != 0; }

  void join(Entity& entity, Slot slot) {
    entity.rank = slot;
    entity.state = Entity::State::Blocked;
    occupy(entity, slot);
  }

  void occupy(Entity& entity, Slot slot) {
    entity.slot = slot;
    entity.flag = static_cast<uint16_t>(1u << slot);
    in_slot_[slot] = &entity;
  }

  // --- The two sets ---

  /// The first one in the set of the due ones, which is not empty.
  Entity* first_due() const {
    Entity* const* at = in_slot_;
    for (Mask left = due_; (left & 1) == 0; left >>= 1) ++at;
    return *at;
  }

  HOCKET_APART Instant earliest_of(Mask set, Instant bound) const {
    for (const Instant* at = instant_; set != 0; set >>= 1, ++at) {
      if ((set & 1) != 0 && *at < bound) bound = *at;
    }
    return bound;
  }

  HOCKET_APART void wait_until(Entity& entity, Instant at) {
    if (waiting_ == 0 || at < earliest_) earliest_ = at;
    instant_[entity.slot] = at;
    waiting_ |= flag(entity);
  }

  /// A ready entity competes, or waits for its head refill.
  void place(Entity& entity, bool usable) {
    if (usable) {
      due_ |= flag(entity);
    } else {
      wait_until(entity, entity.refills.head().time);
    }
  }

  void be_in_neither(Entity& entity) {
    const auto others = static_cast<Mask>(~flag(entity));
    due_ &= others;
    waiting_ &= others;
  }

  /// Whose instant has come is due now, or was woken by it; the earliest of the others is found
  /// anew.
  HOCKET_APART void look_at_waiting(Instant now) {
    const Mask waited = waiting_;
    waiting_ = 0;
    Slot slot = 0;
    for (Mask left = waited; left != 0; left >>= 1, ++slot) {
      if ((left & 1) == 0) continue;
      Entity& entity = *in_slot_[slot];
      if (instant_[slot] > now) {
        wait_until(entity, instant_[slot]);
      } else if (entity.state == Entity::State::Sleeping) {
        become_ready(entity, entity.wake_at, now);  // late perhaps, but as of its own instant
      } else {
        due_ |= flag(entity);
      }
    }
  }

  void become_ready(Entity& entity, Instant since, Instant now) {
    entity.state = Entity::State::Ready;
    if (entity.background) background_.push_back(entity);
    if (entity.best_effort) return;
    const bool usable = entity.refills.unblock(since);
    begin_release(entity, usable || entity.refills.head().time <= now);
  }

  static void responded(Entity& entity, Instant now) {
    if constexpr (Observer::kObserves) {
      if (entity.release < now) Observer::responded(entity, entity.release, now);
    }
  }

  void begin_release(Entity& entity, bool usable) {
    if constexpr (kNotesReleases) entity.release = entity.refills.head().time;
    if (!raised(entity)) place(entity, usable);
    Observer::released(entity, entity.release);
  }

  // --- Who runs is charged ---

  /// Somebody runs whose time is charged to a budget.
  bool charging() const { return charged_ != nullptr; }

  void set_limit() {
    const Entity& entity = *charged_;
    if (raised(entity)) {
      limit_ = entity.hold_until;
    } else if (kCeilings && entity.best_effort) {
      limit_ = charged_until_;  // its lock was given back: idle time again
    } else {
      limit_ = charged_until_ + entity.refills.head().amount;
    }
  }

  /// Accounts for the running entity's execution since it was last charged. This is done when it
  /// stops running and when it has used up its budget, not before: charging in small parts would
  /// break up its refills for nothing.
  void charge(Instant now) {
    const Duration used = now - charged_until_;
    charged_until_ = now;
    if (charged_->best_effort) return;  // holds a lock: the only time that it competes
    if (used > Duration(0) && charged_->refills.charge(used)) charged_->ran_out = true;
  }

  void leave(Entity& entity, Instant now) {
    if (entity.state == Entity::State::Ready) {
      if (&entity == running_) {
        if (charging()) charge(now);
        running_ = charged_ = nullptr;
      }
      if (entity.background) List<Entity>::remove(entity);
      if (!entity.best_effort) {
        responded(entity, now);
        entity.refills.merge_small_head();
        entity.ran_out = false;
      }
    }
    if (raised(entity)) move(entity, entity.rank);
    be_in_neither(entity);
  }

  /// The running entity has reached its limit.
  HOCKET_APART void end_of_limit(Instant now) {
    charge(now);
    Entity& entity = *charged_;
    if constexpr (kCeilings) {
      if (entity.raised()) move(entity, entity.rank);
    }
    if (entity.ran_out) end_release(entity, now);
    set_limit();
  }

  /// The running entity is ready, but does not run on.
  HOCKET_APART void stop_running(Instant now) {
    Entity& entity = *charged_;
    charge(now);
    if (raised(entity) || entity.best_effort) return;  // no budget decides whether it competes
    // A small rest is not joined to later budget here: it is used when the preempting entity is
    // done, at a dispatch that is counted as that entity's. Joining would delay it for good at each
    // preemption, and a loop that always has work would drift away from its own periods.
    bool used_up = entity.ran_out;
    if constexpr (kCeilings) {  // it held a lock while it had no budget
      used_up = used_up || (entity.release <= now && !entity.refills.usable(now));
    }
    if (used_up) end_release(entity, now);
  }

  /// The head is used up, or what is left of it is not worth a dispatch: the next refill counts.
  HOCKET_APART void end_release(Entity& entity, Instant now) {
    entity.ran_out = false;
    entity.refills.merge_small_head();
    responded(entity, now);
    Observer::exhausted(entity, now, entity.refills.head().time);
    be_in_neither(entity);
    begin_release(entity, entity.refills.usable(now));
  }

  /// Whoever has waited longest for idle time gets it until something else happens.
  HOCKET_APART Entity* next_in_background() {
    if (background_.empty()) return nullptr;
    Entity& entity = background_.pop_front();
    background_.push_back(entity);
    return &entity;
  }

  // --- Ceilings ---

  void hold(Entity& entity, Instant until) {
    entity.hold_until = until;
    if (&entity == charged_) set_limit();
  }

  void move(Entity& entity, Slot slot) {
    be_in_neither(entity);
    if (entity.raised()) in_slot_[entity.slot] = nullptr;
    occupy(entity, slot);
    // A raised entity competes whatever its budget; back at its rank its head refill decides.
    if (entity.raised()) {
      due_ |= flag(entity);
    } else if (!entity.best_effort) {
      place(entity, entity.refills.usable(charged_until_));
    }
  }

  Mask due_ = 0;
  Mask waiting_ = 0;
  Entity* running_ = nullptr;
  Entity* charged_ = nullptr;  // that one when it does not run in idle time only
  Instant limit_;          // while charging(): when the running entity's budget, or its lock, ends
  Instant charged_until_;  // and since when it has not been charged
  Instant earliest_;       // while somebody waits: not later than any instant waited for
  Instant instant_[kMaxSlots] = {};
  Entity* in_slot_[kMaxSlots] = {};
  List<Entity> background_;
};

}  // namespace hocket
