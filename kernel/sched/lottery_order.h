// A lottery: whoever's ticket is drawn has the next slice (Waldspurger, Weihl 1994). Nobody
// preempts but who holds a lock with a ceiling.
//
// The draw is a function of a number and of who waits; the number steps (xorshift, Marsaglia 2003)
// whenever somebody leaves the queue. So runs repeat, and how often the queue is asked counts for
// nothing.
#pragma once

#include "kernel/sched/heap_queue.h"

namespace hocket {

template <unsigned kMostSlots, bool kCeilings = true>
struct LotteryOrder : HeapOrder<kMostSlots, kCeilings, /*kFew=*/true> {
  using Base = HeapOrder<kMostSlots, kCeilings, /*kFew=*/true>;
  using Slot = typename Base::Slot;
  static constexpr Ranking kRanking = Ranking::Turn;

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
  class Queue : public Ranks<LotteryOrder, Entity> {
   public:
    /// What is drawn follows from this; before reset().
    void seed(uint32_t seed) { seed_ = seed; }
    void reset(unsigned slots) {
      this->forget();
      slots_ = static_cast<Slot>(slots);
      number_ = seed_ * 2'654'435'761u | 1;
    }
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
        Entity* const entity = this->at(slot);
        if (entity == nullptr || !entity->waits) continue;
        if (entity->raised()) return entity;
        all += entity->tickets;
      }
      if (all == 0) return nullptr;
      uint32_t drawn = number_ % all;
      for (Slot slot = 0;; ++slot) {
        Entity* const entity = this->at(slot);
        if (entity == nullptr || !entity->waits) continue;
        if (drawn < entity->tickets) return entity;
        drawn -= entity->tickets;
      }
    }

   private:
    Slot slots_ = 0;
    uint32_t seed_ = 1;
    uint32_t number_ = 1;
  };
};

}  // namespace hocket
