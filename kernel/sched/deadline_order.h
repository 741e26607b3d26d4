// Earliest deadline first, experimental: what a server may use now is due one period after it could
// first be used (Ghazalie, Baker 1995), and what is due first comes first; between equals the lower
// rank. Who holds a lock with a ceiling comes before all others.
//
// Whoever waits may come first when its time has come, so every instant of the timeline counts.
// When something is due follows from the server, and that does not change in the queue: nothing is
// kept.
#pragma once

#include "kernel/base/heap.h"
#include "kernel/base/time.h"

namespace hocket {

template <unsigned kMostSlots>
struct DeadlineOrder {
  using Slot = ChosenType<(kMostSlots < 0xff), uint8_t, uint16_t>;
  static constexpr unsigned kSlots = kMostSlots;
  static constexpr Slot kAll = static_cast<Slot>(~0u);
  static constexpr bool kKnowsReleases = false;  // released() does nothing
  static constexpr bool kByRank = false;         // who becomes ready may come before any other

  struct Place {
    static constexpr bool kByDeadline = true;
    Slot rank = 0;
    Slot slot = 0;  // its rank, or that of the ceiling it was raised to
    uint16_t heap_index = kNotInHeap;
    bool raised() const { return slot != rank; }
  };

  template <class Entity>
  static bool precedes(const Entity& a, const Entity& b) {
    if (a.raised() || b.raised()) return a.raised() && (!b.raised() || a.slot < b.slot);
    const auto a_due = a.server.time() + a.server.period();
    const auto b_due = b.server.time() + b.server.period();
    return a_due < b_due || (a_due == b_due && a.rank < b.rank);
  }
  /// Nobody of those who wait comes before a holder.
  static Slot reach(const Place& place) { return place.raised() ? Slot{0} : kAll; }
  template <class Entity, class Instant>
  static void released(Entity&, Instant) {}

  template <class Entity>
  class Queue {
   public:
    void reset(unsigned) {
      while (!heap_.empty()) heap_.remove(heap_.top());
      for (Entity*& entity : with_rank_) entity = nullptr;
    }
    void join(Entity& entity, Slot slot) {
      entity.rank = entity.slot = slot;
      with_rank_[slot] = &entity;
    }
    Entity* at(Slot slot) const { return with_rank_[slot]; }
    void insert(Entity& entity) { static_cast<void>(heap_.insert(entity)); }
    void remove(Entity& entity) {
      if (heap_.contains(entity)) heap_.remove(entity);
    }
    Entity* first() const { return heap_.empty() ? nullptr : &heap_.top(); }
    static void settle(Entity& entity) { entity.slot = entity.rank; }

   private:
    IndexedHeap<Entity, kMostSlots> heap_;
    Entity* with_rank_[kSlots] = {};
  };
};

/// The order in the heap.
template <class Entity>
  requires(Entity::kByDeadline)
bool earlier(const Entity& a, const Entity& b) {
  return DeadlineOrder<1>::precedes(a, b);
}

}  // namespace hocket
