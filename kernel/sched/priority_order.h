// Fixed priorities: each entity owns a slot, and a lower slot comes first.
//
// A lock's ceiling is a slot that belongs to no entity. The holder of the lock occupies that slot,
// so the same comparison decides which entities may preempt it.
#pragma once

#include "kernel/base/slot_set.h"
#include "kernel/sched/order.h"

namespace hocket {

namespace detail {
template <class Entity, bool kKept>
struct FrontOf {
  Entity* front_ = nullptr;  // if not null: precedes all others, and is not in the set
};
template <class Entity>
struct FrontOf<Entity, false> {
  static constexpr Entity* front_ = nullptr;
};
}  // namespace detail

/// Without ceilings no entity is ever raised, so rank and slot are the same field.
template <unsigned kMostSlots, bool kCeilings = true>
struct PriorityOrder : NoTurns {
  using Slot = ChosenType<(kMostSlots < 0xff), uint8_t, uint16_t>;
  static constexpr unsigned kSlots = kMostSlots;
  static constexpr Ranking kRanking = Ranking::Priority;
  static constexpr Slot kAll = static_cast<Slot>(~0u);
  static constexpr bool kByRank = true, kByKey = false, kSplits = false, kDraws = false;

  /// What an entity stores for this order.
  using Place = PlaceByRank<Slot, kCeilings>;

  static bool precedes(const Place& a, const Place& b) { return a.slot < b.slot; }
  /// The bound for preemption: only entities with a lower rank precede this one.
  static Slot reach(const Place& place) { return place.slot; }
  template <class Entity>
  static void joined(Entity&) {}

  /// A preempted entity usually runs next, so it stays in front of the set. For a small set that
  /// would save nothing.
  static constexpr bool kKeepsFront = slot_words(kSlots) == SlotWords::Wide;

  template <class Entity>
  class Queue : detail::FrontOf<Entity, kKeepsFront>, public RaisesToSlot<Slot> {
   public:
    void reset(unsigned) {
      if constexpr (kKeepsFront) front_ = nullptr;
      set_.clear();
      for (Entity*& entity : in_slot_) entity = nullptr;
    }
    void join(Entity& entity, Slot slot) {
      entity.rank = entity.slot = slot;
      in_slot_[slot] = &entity;
    }
    /// The entity that owns a slot or is raised to it.
    Entity* at(Slot slot) const { return in_slot_[slot]; }

    HOCKET_SHORT void insert(Entity& entity) {
      if constexpr (kKeepsFront) {
        if (entity.slot < (front_ == nullptr ? set_.first() : front_->slot)) {
          if (front_ != nullptr) put(*front_);
          front_ = &entity;
          return;
        }
      }
      put(entity);
    }
    void remove(const Entity& entity) {
      if constexpr (kKeepsFront) {
        if (front_ == &entity) {
          front_ = nullptr;
          return;
        }
      }
      set_.remove(entity.slot);
    }
    Entity* first() const {
      if (front_ != nullptr) return front_;
      const auto slot = set_.first();
      return slot == set_.kNone ? nullptr : in_slot_[slot];
    }

   private:
    using detail::FrontOf<Entity, kKeepsFront>::front_;

    void put(Entity& entity) {
      in_slot_[entity.slot] = &entity;
      set_.insert(entity.slot);
    }

    SlotSet<kSlots> set_;
    Entity* in_slot_[kSlots] = {};
  };
};

}  // namespace hocket
