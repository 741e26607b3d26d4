// The default policy (vcpu_policy.h) for small processors: the same decisions, with as few
// comparisons of instants as they can be made with, since each is four bytes long. Clocks may be
// circular. tests/unit/kernel/circular_time_test.cpp plays both against each other.
//
// Sources: Danish, Li, West, RTAS 2011 (Main VCPUs, foreground and background); refills.h for the
// server.
//
// Each entity owns a slot; a lower slot is a higher priority (slot_sets.h):
//
//     ready, head refill usable   due
//     ready, budget used up       waiting for its next refill
//     sleeping                    waiting for its instant, or its next refill if that is later
//     blocked                     neither
//
// The timer is needed for the running entity's limit, and for those that wait left of it: an event
// of lower priority never interrupts a running loop.
//
// Who is preempted in the middle of its budget is not charged then: what it has used is kept
// (`consumed`), and it goes on as if it had begun so much earlier. (Not when it has to be charged
// at once: RefillList::may_wait.) Who is woken and comes first takes over without a search
// (takes_over).
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
#include "kernel/sched/slot_sets.h"

namespace hocket {

/// What only ceilings, and observers beside them, need of a virtual CPU.
template <class Instant, bool kKept>
struct ReleaseNotes {
  Instant release;     // since when its present head refill could be used (while Ready)
  Instant hold_until;  // while raised
};
template <class Instant>
struct ReleaseNotes<Instant, false> {};

/// A virtual CPU as the policy sees it. All state is the policy's; others read it.
template <class Rep, unsigned kRefills, bool kNotesReleases = true>
struct SmallVcpuEntity : ListNode<SmallVcpuEntity<Rep, kRefills, kNotesReleases>>,
                         ReleaseNotes<BasicInstant<Rep>, kNotesReleases> {
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  enum class State : uint8_t { Blocked, Sleeping, Ready };

  State state = State::Blocked;
  uint8_t rank = 0;          // slot of its own priority
  uint8_t slot = 0;          // slot it is in: its rank, or that of the ceiling it was raised to
  uint16_t flag = 0;         // of that slot, in a set
  bool background = false;   // may use idle time when it has no budget
  bool best_effort = false;  // has no budget at all: runs in idle time only (background, too)
  bool ran_out = false;      // the head it was released with is used up; not yet acted upon
  Duration consumed;         // of its head, when it last stopped in the middle; not yet charged
  RefillList<Rep, kRefills> refills;
  Instant wake_at;  // while Sleeping

  bool raised() const { return slot != rank; }
  bool is_ready() const { return state == State::Ready; }
  /// One test instead of two.
  bool blocked_in_foreground() const {
    static_assert(State::Blocked == State(0));
    return (static_cast<uint8_t>(state) | static_cast<uint8_t>(background)) == 0;
  }
};

template <class Rep, unsigned kMaxSlots, unsigned kRefills,
          class Observer = SilentObserver<SmallVcpuEntity<Rep, kRefills>, BasicInstant<Rep>>,
          bool kCeilings = true>
class SmallVcpuPolicy {
  using Sets = SlotSets<BasicInstant<Rep>, kMaxSlots>;
  using Mask = typename Sets::Mask;

 public:
  using Entity = SmallVcpuEntity<Rep, kRefills, kCeilings>;
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  using Slot = typename Sets::Slot;
  static constexpr unsigned kSlots = kMaxSlots;

  /// Removes all entities.
  void reset(unsigned slots) {
    HOCKET_CHECK(slots <= kMaxSlots);
    static_cast<void>(slots);
    sets_.clear();
    for (Entity*& entity : in_slot_) entity = nullptr;
    nobody_runs();
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
      sets_.end_waiting(flag(entity));
      // A sleep that ended earlier, unnoticed, made it ready then.
      if (entity.wake_at < since) at = entity.wake_at;
    }
    become_ready(entity, at, since);
    if ((flag(entity) & before_running_) == 0) return WakeEffect::None;
    const bool may_run = is_due(entity) || (entity.background && running_ == nullptr);
    return may_run ? WakeEffect::Decide : WakeEffect::Timer;
  }

  /// wake() and pick() in one for the usual case: a blocked entity with budget is woken and comes
  /// first. True: it runs from now on, and `when` is the next event. False: nothing has been done.
  [[gnu::always_inline]] bool takes_over(Entity& entity, Instant now, Instant& when) {
    if (!entity.blocked_in_foreground()) return false;
    const Mask flag = this->flag(entity);
    if ((flag & before_running_) == 0) return false;
    if (sets_.passed(now)) return false;
    // (What it keeps of the running entity means nothing while that runs on.)
    if (charging() && !stop_in_the_middle(now)) return false;
    if (!entity.refills.unblocks_alone(now, when)) return false;
    entity.state = Entity::State::Ready;
    entity.refills.unblock_alone(now);
    if constexpr (kCeilings) entity.release = now;
    Observer::released(entity, now);
    sets_.set_due(flag);
    began_ = now;
    running_ = &entity;
    before_running_ = Sets::before(flag);
    bound_by_waiting(when);
    return true;
  }

  HOCKET_APART Entity* pick(Instant now) {
    if (charging() && limit() <= now) end_of_limit(now);
    if (sets_.passed(now)) look_at_waiting(now);
    Entity* const first = sets_.due() != 0 ? first_due() : nullptr;
    if (first != nullptr && charging() && first == running_) return first;
    if (charging() && !stop_in_the_middle(now)) stop_running(now);
    if (first != nullptr) {
      run_charged(*first, now);
    } else {
      before_running_ = Sets::kAll;
      began_ = now;
      running_ = next_in_background();
    }
    return running_;
  }

  /// Whether it must be asked again by itself, and when: at `when` at the latest. Where time has
  /// passed unnoticed since the last pick(), that may be earlier than needed.
  bool next_event(Instant& when) const {
    if (!charging()) {
      when = sets_.earliest();
      return sets_.waiting() != 0;
    }
    when = limit();
    bound_by_waiting(when);
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
    if (!charging()) began_ = now;
  }

  Entity* running() const { return running_; }
  bool running_in_background() const { return running_ != nullptr && !charging(); }

  /// The running entity takes a lock whose ceiling has `slot`; see the head of this file. Nothing
  /// happens when it is as high already.
  void raise(Entity& entity, Slot slot, Instant hold_until)
    requires kCeilings
  {
    if (slot >= entity.slot) return;
    move(entity, slot);
    entity.hold_until = hold_until;
  }

  /// The entity gives such a lock back and is as high as before it took it: at `slot`, its own rank
  /// for the last lock. Nothing happens when it held on too long and has fallen back already.
  void lower(Entity& entity, Slot slot, Instant hold_until)
    requires kCeilings
  {
    if (!entity.raised()) return;
    move(entity, slot);
    entity.hold_until = hold_until;
  }

 private:
  static Mask flag(const Entity& entity) { return static_cast<Mask>(entity.flag); }
  static Mask before(const Entity& entity) { return Sets::before(flag(entity)); }
  static bool raised(const Entity& entity) { return kCeilings && entity.raised(); }
  bool is_due(const Entity& entity) const { return (sets_.due() & flag(entity)) != 0; }

  void join(Entity& entity, Slot slot) {
    entity.rank = slot;
    entity.state = Entity::State::Blocked;
    occupy(entity, slot);
  }

  void occupy(Entity& entity, Slot slot) {
    entity.slot = slot;
    entity.flag = Sets::flag(slot);
    in_slot_[slot] = &entity;
  }

  // --- Ready, and waiting ---

  /// The first one that is due; there is one.
  Entity* first_due() const {
    Entity* const* at = in_slot_;
    for (Mask left = sets_.due(); (left & 1) == 0; left >>= 1) ++at;
    return *at;
  }

  void wait_until(Entity& entity, Instant at) { sets_.wait(entity.slot, flag(entity), at); }

  /// A ready entity competes, or waits for its head refill.
  void place(Entity& entity, bool usable) {
    if (usable) {
      sets_.set_due(flag(entity));
    } else {
      wait_until(entity, entity.refills.head().time);
    }
  }

  /// Whose instant has come is due now, or was woken by it; the earliest of the others is found
  /// anew.
  HOCKET_APART void look_at_waiting(Instant now) {
    sets_.take_waiting([this, now](Slot slot) {
      Entity& entity = *in_slot_[slot];
      if (sets_.instant(slot) > now) {
        wait_until(entity, sets_.instant(slot));
      } else if (entity.state == Entity::State::Sleeping) {
        become_ready(entity, entity.wake_at, now);  // late perhaps, but as of its own instant
      } else {
        sets_.set_due(flag(entity));
      }
    });
  }

  HOCKET_APART void become_ready(Entity& entity, Instant since, Instant now) {
    entity.state = Entity::State::Ready;
    if (entity.background) {
      background_.push_back(entity);
      if (entity.best_effort) return;
    }
    const bool usable = entity.refills.unblock(since);
    begin_release(entity, usable || entity.refills.head().time <= now);
  }

  static void responded(Entity& entity, Instant now) {
    static_assert(kCeilings || !Observer::kObserves, "who observes needs ReleaseNotes");
    if constexpr (Observer::kObserves) {
      if (entity.release < now) Observer::responded(entity, entity.release, now);
    }
  }

  void begin_release(Entity& entity, bool usable) {
    if constexpr (kCeilings) entity.release = entity.refills.head().time;
    if (!raised(entity)) place(entity, usable);
    Observer::released(entity, entity.refills.head().time);
  }

  // --- Who runs is charged ---

  /// Somebody runs whose time is charged to a budget.
  bool charging() const { return before_running_ != Sets::kAll; }

  /// Who waits left of the running entity interrupts it, if that is before `when`.
  [[gnu::always_inline]] void bound_by_waiting(Instant& when) const {
    const auto left = static_cast<Mask>(sets_.waiting() & before_running_);
    if (left != 0) when = sets_.earliest_of(left, when);
  }

  void nobody_runs() {
    running_ = nullptr;
    before_running_ = Sets::kAll;
  }

  void run_charged(Entity& entity, Instant now) {
    began_ = now - entity.consumed;
    running_ = &entity;
    before_running_ = before(entity);
  }

  /// While charging(): when the running entity's budget, or its lock, ends.
  Instant limit() const {
    const Entity& entity = *running_;
    if constexpr (kCeilings) {
      if (entity.raised()) return entity.hold_until;
      if (entity.best_effort) return began_;  // its lock was given back: idle time again
    }
    return began_ + entity.refills.head().amount;
  }

  /// Accounts for the running entity's execution since it was last charged.
  void charge(Instant now) {
    const Duration used = now - began_;
    began_ = now;
    running_->consumed = Duration(0);
    if (running_->best_effort) return;  // holds a lock: the only time that it competes
    charge_to(*running_, used);
  }
  HOCKET_APART static void charge_to(Entity& entity, Duration used) {
    if (used > Duration(0) && entity.refills.charge(used)) entity.ran_out = true;
  }

  void leave(Entity& entity, Instant now) {
    if (entity.state == Entity::State::Ready) {
      if (&entity == running_) {
        if (charging()) charge(now);
        nobody_runs();
      } else {
        charge_to(entity, entity.consumed);
      }
      entity.consumed = Duration(0);
      if (entity.background) List<Entity>::remove(entity);
      if (!entity.best_effort) {
        responded(entity, now);
        entity.refills.merge_small_head();
        entity.ran_out = false;
      }
    }
    if (raised(entity)) move(entity, entity.rank);
    sets_.remove(flag(entity));
  }

  /// The running entity has reached its limit.
  HOCKET_APART void end_of_limit(Instant now) {
    charge(now);
    Entity& entity = *running_;
    if constexpr (kCeilings) {
      if (entity.raised()) move(entity, entity.rank);
    }
    if (entity.ran_out) end_release(entity, now);
  }

  /// The running entity is ready, but does not run on, and need not be charged for that. False: it
  /// must be.
  [[gnu::always_inline]] bool stop_in_the_middle(Instant now) {
    Entity& entity = *running_;
    if (raised(entity) || (kCeilings && entity.best_effort)) return false;
    const auto& head = entity.refills.head();
    const Duration used = now - began_;
    if (used >= head.amount || !entity.refills.may_wait()) return false;
    if (kCeilings && head.time > began_) return false;  // it held a lock while it had no budget
    entity.consumed = used;
    return true;
  }

  HOCKET_APART void stop_running(Instant now) {
    Entity& entity = *running_;
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
    sets_.remove(flag(entity));
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

  void move(Entity& entity, Slot slot) {
    sets_.remove(flag(entity));
    if (entity.raised()) in_slot_[entity.slot] = nullptr;
    occupy(entity, slot);
    if (&entity == running_ && charging()) before_running_ = before(entity);
    // A raised entity competes whatever its budget; back at its rank its head refill decides.
    if (entity.raised()) {
      sets_.set_due(flag(entity));
    } else if (!entity.best_effort) {
      place(entity, entity.refills.usable(began_));
    }
  }

  Sets sets_;
  Mask before_running_ = Sets::kAll;  // slots left of the charged entity; all while there is none
  Entity* running_ = nullptr;         // charged, or in idle time
  Instant began_;  // while charging(): since when it has not been charged, if it had run on
  Entity* in_slot_[kMaxSlots] = {};
  List<Entity> background_;
};

}  // namespace hocket
