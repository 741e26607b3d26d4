// Fixed priorities and nothing else: no budgets, no periods, no guarantee.
//
// For comparison: what the kernel costs with the policy that other small kernels have (`hocket
// bench uno-kernel`). Whoever is ready with the lowest slot runs, for as long as it likes. Each
// entity owns a slot; a lower slot is a higher priority. A lock with a ceiling has a slot of its
// own, to which its holder is raised (immediate ceiling).
//
// As in small_vcpu_policy.h sleepers are noticed when it is their turn: the timer is needed only
// for sleepers of a higher priority than who runs.
#pragma once

#include "kernel/sched/policy.h"

namespace hocket {

template <class Rep>
struct PriorityEntity {
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  enum class State : uint8_t { Blocked, Sleeping, Ready };

  Instant wake_at;  // while Sleeping
  uint8_t rank = 0;
  uint8_t slot = 0;  // its rank, or that of the ceiling it was raised to
  State state = State::Blocked;

  bool raised() const { return slot != rank; }
  bool is_ready() const { return state == State::Ready; }
};

template <class Rep, unsigned kMaxSlots,
          class Observer = SilentObserver<PriorityEntity<Rep>, BasicInstant<Rep>>>
class PriorityPolicy {
 public:
  using Entity = PriorityEntity<Rep>;
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  using Slot = uint8_t;
  static_assert(kMaxSlots <= 255);
  static constexpr unsigned kSlots = kMaxSlots;

  /// Removes all entities; `slots` is the number of priorities (entities and ceilings) to come.
  void reset(unsigned slots) {
    HOCKET_CHECK(slots <= kMaxSlots);
    slots_ = static_cast<Slot>(slots);
    for (Entity*& entity : in_slot_) entity = nullptr;
    running_ = nullptr;
  }

  /// A blocked entity joins the core at its slot.
  void add(Entity& entity, Slot slot) {
    HOCKET_CHECK(slot < slots_);
    entity.rank = entity.slot = slot;
    entity.state = Entity::State::Blocked;
    in_slot_[slot] = &entity;
  }

  void block(Entity& entity, Instant now) { leave(entity, Entity::State::Blocked, now); }

  void sleep(Entity& entity, Instant now, Instant until) {
    leave(entity, Entity::State::Sleeping, now);
    entity.wake_at = until;
  }

  WakeEffect wake(Entity& entity, Instant since) {
    if (entity.is_ready()) return WakeEffect::None;
    entity.state = Entity::State::Ready;
    Observer::released(entity, since);
    return running_ == nullptr || entity.slot < running_->slot ? WakeEffect::Decide
                                                               : WakeEffect::None;
  }

  /// As SmallVcpuPolicy::takes_over: who is woken and comes first runs. Nobody is to sleep that
  /// comes before it; `when` is so late that nothing is asked for.
  bool takes_over(Entity& entity, Instant now, Instant& when)
    requires(Instant::kCircular)
  {
    if (entity.state != Entity::State::Blocked) return false;
    if (running_ != nullptr && entity.slot >= running_->slot) return false;
    for (Slot slot = 0; slot < entity.slot; ++slot) {
      const Entity* const before = in_slot_[slot];
      if (before != nullptr && before->state == Entity::State::Sleeping) return false;
    }
    entity.state = Entity::State::Ready;
    Observer::released(entity, now);
    running_ = &entity;
    when = now + Instant::quarter_turn();
    return true;
  }

  Entity* pick(Instant now) {
    running_ = nullptr;
    for (Slot slot = 0; slot < slots_ && running_ == nullptr; ++slot) {
      Entity* entity = in_slot_[slot];
      if (entity == nullptr) continue;
      if (due(*entity, now)) wake(*entity, entity->wake_at);
      if (entity->is_ready()) running_ = entity;
    }
    return running_;
  }

  /// Whether a sleeper will want the core that comes before who runs, and when.
  bool next_event(Instant& when) const {
    const Slot end = running_ == nullptr ? slots_ : running_->slot;
    bool any = false;
    for (Slot slot = 0; slot < end; ++slot) {
      const Entity* entity = in_slot_[slot];
      if (entity == nullptr || entity->state != Entity::State::Sleeping) continue;
      if (any && !(entity->wake_at < when)) continue;
      when = entity->wake_at;
      any = true;
    }
    return any;
  }
  Instant next_event() const
    requires(!Instant::kCircular)
  {
    Instant when;
    return next_event(when) ? when : Instant::never();
  }

  bool competes(const Entity&, Instant) const { return true; }
  static bool precedes(const Entity& a, const Entity& b) { return a.rank < b.rank; }

  /// On a circular clock: a sleep that ended long ago ended now (SmallVcpuPolicy::refresh).
  void refresh(Instant now) {
    for (Entity* entity : in_slot_) {
      if (entity != nullptr && due(*entity, now)) entity->wake_at = now;
    }
  }

  Entity* running() const { return running_; }

  /// The running entity takes a lock whose ceiling has `slot`, unless it is as high already. It may
  /// hold it for as long as it likes: nobody measures it.
  void raise(Entity& entity, Slot slot, Instant) {
    if (slot < entity.slot) move(entity, slot);
  }
  /// The entity gives such a lock back and is at `slot` again.
  void lower(Entity& entity, Slot slot, Instant) {
    if (entity.raised()) move(entity, slot);
  }

 private:
  static bool due(const Entity& entity, Instant now) {
    return entity.state == Entity::State::Sleeping && entity.wake_at <= now;
  }

  void leave(Entity& entity, typename Entity::State state, Instant) {
    entity.state = state;
    if (&entity == running_) running_ = nullptr;
    if (entity.raised()) move(entity, entity.rank);
  }

  void move(Entity& entity, Slot slot) {
    if (entity.raised()) in_slot_[entity.slot] = nullptr;
    entity.slot = slot;
    in_slot_[slot] = &entity;
  }

  Entity* in_slot_[kMaxSlots] = {};
  Entity* running_ = nullptr;
  Slot slots_ = 0;
};

}  // namespace hocket
