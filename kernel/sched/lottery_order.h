// A lottery: whoever's ticket is drawn has the next slice (Waldspurger, Weihl 1994). Nobody
// preempts but who holds a lock with a ceiling.
//
// The draw is a function of a number and of who waits; the number steps (xorshift, Marsaglia 2003)
// whenever somebody leaves the queue. So runs repeat, and how often the queue is asked counts for
// nothing.
#pragma once

#include "kernel/sched/heap_queue.h"

namespace hocket {

template <unsigned kMostSlots>
struct LotteryOrder : HeapOrder<kMostSlots> {
  using Base = HeapOrder<kMostSlots>;
  using Slot = typename Base::Slot;

  struct Place : Base::Place {
    uint16_t tickets = 1;  // of its owner, at least one
    bool waits = false;
  };

  static bool precedes(const Place& a, const Place& b) { return Base::raised_first(a, b); }
  template <class Entity, class Instant>
  static void end_turn(Entity& entity, Instant now) {
    entity.server.refresh(now);
  }

  template <class Entity>
  class Queue {
   public:
    /// What is drawn follows from this; before reset().
    void seed(uint32_t seed) { seed_ = seed; }
    void reset(unsigned slots) {
      for (Entity*& entity : with_rank_) entity = nullptr;
      slots_ = static_cast<Slot>(slots);
      number_ = seed_ * 2'654'435'761u | 1;
    }
    void join(Entity& entity, Slot slot) {
      entity.rank = entity.slot = slot;
      with_rank_[slot] = &entity;
    }
    Entity* at(Slot slot) const { return with_rank_[slot]; }
    void insert(Entity& entity) { entity.waits = true; }
    void remove(Entity& entity) {
      if (!entity.waits) return;
      entity.waits = false;
      number_ ^= number_ << 13;
      number_ ^= number_ >> 17;
      number_ ^= number_ << 5;
    }
    /// O(n): the tickets are counted.
    Entity* first() const {
      uint32_t all = 0;
      for (Slot slot = 0; slot < slots_; ++slot) {
        Entity* const entity = with_rank_[slot];
        if (entity == nullptr || !entity->waits) continue;
        if (entity->raised()) return entity;
        all += entity->tickets;
      }
      if (all == 0) return nullptr;
      uint32_t drawn = number_ % all;
      for (Slot slot = 0;; ++slot) {
        Entity* const entity = with_rank_[slot];
        if (entity == nullptr || !entity->waits) continue;
        if (drawn < entity->tickets) return entity;
        drawn -= entity->tickets;
      }
    }
    static void settle(Entity& entity) { entity.slot = entity.rank; }

   private:
    Entity* with_rank_[Base::kSlots] = {};
    Slot slots_ = 0;
    uint32_t seed_ = 1;
    uint32_t number_ = 1;
  };
};

}  // namespace hocket
