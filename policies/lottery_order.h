// A lottery: the entity whose ticket is drawn gets the next slice (Waldspurger, Weihl 1994). Only
// the holder of a lock with a ceiling preempts.
//
// The draw is a function of a number and of the waiting entities. The number steps (xorshift,
// Marsaglia 2003) when an entity leaves the queue. Runs therefore repeat, and the number of queries
// does not matter.
//
// Tickets are counted in a tree of sums by slot (Fenwick, "A new data structure for cumulative
// frequency tables", Software: Practice and Experience 24(3), 1994): O(log n) for each draw.
#pragma once

#include "kernel/sched/heap_queue.h"

namespace hocket {

template <unsigned kMostSlots, bool kCeilings = true>
struct LotteryOrder : HeapOrder<kMostSlots, kCeilings, /*kFew=*/true> {
  using Base = HeapOrder<kMostSlots, kCeilings, /*kFew=*/true>;
  using Slot = typename Base::Slot;
  static constexpr Ranking kRanking = Ranking::Turn;
  static constexpr bool kByKey = false, kSplits = false, kDraws = true;

  struct Place : Base::Place {
    uint16_t tickets = 1;  // of this entity; at least one
    uint16_t counted = 0;  // while it waits: the tickets that are counted for it
  };

  static bool precedes(const Place& a, const Place& b) { return Base::raised_first(a, b); }
  template <class Entity, class Instant>
  static void end_turn(Entity& entity, Instant now) {
    entity.server.refresh(now);
  }
  template <class Entity>
  static void joined(Entity&) {}
  template <class Entity>
  static void stopped(Entity&) {}
  template <class Entity, class Instant>
  static void keep_recent(Entity&, Instant) {}

  template <class Entity>
  class Queue : public Ranks<LotteryOrder, Entity> {
   public:
    /// All draws follow from the seed. Call this before reset().
    void seed(uint32_t seed) { seed_ = seed; }
    void reset(unsigned) {
      this->forget();
      holder_ = nullptr;
      all_ = 0;
      for (uint32_t& sum : sums_) sum = 0;
      number_ = seed_ * 2'654'435'761u | 1;
    }
    void insert(Entity& entity) {
      if (entity.raised()) holder_ = &entity;
      entity.counted = entity.tickets;
      all_ += entity.counted;
      for (unsigned i = 1u + entity.rank; i <= kMostSlots; i += lowest_bit(i)) {
        sums_[i] += entity.counted;
      }
    }
    void remove(Entity& entity) {
      if (entity.counted == 0) return;
      if (&entity == holder_) holder_ = nullptr;
      all_ -= entity.counted;
      for (unsigned i = 1u + entity.rank; i <= kMostSlots; i += lowest_bit(i)) {
        sums_[i] -= entity.counted;
      }
      entity.counted = 0;
      number_ ^= number_ << 13;
      number_ ^= number_ >> 17;
      number_ ^= number_ << 5;
    }
    Entity* first() const {
      if (holder_ != nullptr || all_ == 0) return holder_;
      uint32_t drawn = number_ % all_;
      unsigned slot = 0;  // all slots below it together have at most `drawn` tickets
      for (unsigned step = kTop; step != 0; step /= 2) {
        if (slot + step > kMostSlots || sums_[slot + step] > drawn) continue;
        slot += step;
        drawn -= sums_[slot];
      }
      return this->at(static_cast<Slot>(slot));
    }

   private:
    static constexpr unsigned kTop = power_of_two_at_least(kMostSlots);
    static constexpr unsigned lowest_bit(unsigned i) { return i & (0u - i); }

    Entity* holder_ = nullptr;  // holds a lock with a ceiling, and needs no ticket
    uint32_t all_ = 0;
    uint32_t sums_[kMostSlots + 1] = {};  // sums_[i]: tickets of the slots i − lowest bit … i − 1
    uint32_t seed_ = 1;
    uint32_t number_ = 1;
  };
};

}  // namespace hocket
