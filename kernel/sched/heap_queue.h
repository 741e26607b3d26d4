// The queue of an order in which the ready are compared with each other and nothing is kept by
// slot: a heap of them, by the order's own comparison.
//
// An order has it as its Queue. Its Place has `rank`, `slot`, a `heap_index`, and names the order,
// as InHeap. Nothing that is compared may change while its owner is in the queue.
#pragma once

#include "kernel/base/heap.h"

namespace hocket {

template <class Order, class Entity>
class HeapQueue {
 public:
  using Slot = typename Order::Slot;

  void reset(unsigned) {
    while (!heap_.empty()) heap_.remove(heap_.top());
    for (Entity*& entity : with_rank_) entity = nullptr;
  }
  void join(Entity& entity, Slot slot) {
    entity.rank = entity.slot = slot;
    with_rank_[slot] = &entity;
    if constexpr (requires { Order::joined(entity); }) Order::joined(entity);
  }
  Entity* at(Slot slot) const { return with_rank_[slot]; }
  void insert(Entity& entity) { static_cast<void>(heap_.insert(entity)); }
  void remove(Entity& entity) {
    if (heap_.contains(entity)) heap_.remove(entity);
  }
  Entity* first() const { return heap_.empty() ? nullptr : &heap_.top(); }
  static void settle(Entity& entity) { entity.slot = entity.rank; }

 private:
  IndexedHeap<Entity, Order::kSlots> heap_;
  Entity* with_rank_[Order::kSlots] = {};
};

/// The order in the heap.
template <class Entity>
  requires requires { typename Entity::InHeap; }
bool earlier(const Entity& a, const Entity& b) {
  return Entity::InHeap::precedes(a, b);
}

/// What such orders have in common. Who holds a lock with a ceiling comes before all others;
/// whoever waits may come first when its time has come, so every instant of the timeline counts.
template <unsigned kMostSlots>
struct HeapOrder {
  using Slot = ChosenType<(kMostSlots < 0xff), uint8_t, uint16_t>;
  static constexpr unsigned kSlots = kMostSlots;
  static constexpr Slot kAll = static_cast<Slot>(~0u);
  static constexpr bool kKnowsReleases = false;  // released() does nothing
  static constexpr bool kByRank = false;         // who becomes ready may come before any other

  struct Place {
    Slot rank = 0;
    Slot slot = 0;  // its rank, or that of the ceiling it was raised to
    uint16_t heap_index = kNotInHeap;
    bool raised() const { return slot != rank; }
  };

  /// Nobody of those who wait comes before a holder.
  static Slot reach(const Place& place) { return place.raised() ? Slot{0} : kAll; }
  template <class Entity, class Instant>
  static void released(Entity&, Instant) {}

  static bool above_all(const Place& a) { return a.raised() && a.slot == 0; }
  static bool either_raised(const Place& a, const Place& b) { return a.raised() || b.raised(); }
  static bool raised_first(const Place& a, const Place& b) {
    return a.raised() && (!b.raised() || a.slot < b.slot);
  }
};

}  // namespace hocket
