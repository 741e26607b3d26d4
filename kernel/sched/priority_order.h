// Fixed priorities: each entity owns a slot, a lower slot comes first.
//
// A lock's ceiling is a slot that belongs to no entity. Who holds the lock has that slot; whom it
// may let in is then the same comparison as ever.
#pragma once

#include "kernel/base/slot_set.h"
#include "kernel/sched/order.h"

namespace hocket {

namespace detail {
template <class Entity, bool kKept>
struct FrontOf {
  Entity* front_ = nullptr;  // if somebody: comes before all others, and is not among them
};
template <class Entity>
struct FrontOf<Entity, false> {
  static constexpr Entity* front_ = nullptr;
};
}  // namespace detail

/// `kCeilings`: nobody is ever raised without them, so a rank is all there is to know.
template <unsigned kMostSlots, bool kCeilings = true>
struct PriorityOrder : NoTurns {
  using Slot = ChosenType<(kMostSlots < 0xff), uint8_t, uint16_t>;
  static constexpr unsigned kSlots = kMostSlots;
  static constexpr Ranking kRanking = Ranking::Priority;
  static constexpr Slot kAll = static_cast<Slot>(~0u);
  static constexpr bool kByRank = true, kByKey = false, kSplits = false, kDraws = false;

  /// What an entity has of it.
  using Place = PlaceByRank<Slot, kCeilings>;

  static bool precedes(const Place& a, const Place& b) { return a.slot < b.slot; }
  /// Nobody whose rank is this or higher comes before the entity.
  static Slot reach(const Place& place) { return place.slot; }
  template <class Entity>
  static void joined(Entity&) {}

  /// Whom one preempts is mostly who goes on next, so it is not put into the set at once. (A set of
  /// few is as short.)
  static constexpr bool kKeepsFront = kSlots > 16;

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
    /// Who owns a slot, or is raised to it.
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
