// The queue of an order in which the ready are compared with each other and nothing is kept by
// slot: a heap of them, by the order's own comparison. Where there are few (small processors), a
// set of bits, and they are looked through.
//
// An order has one of them as its Queue. Its Place has a rank and a slot, for the heap a
// `heap_index`, and names the order, as InHeap. Nothing that is compared may change while its owner
// is in a heap.
#pragma once

#include "kernel/base/heap.h"
#include "kernel/base/slot_set.h"
#include "kernel/sched/order.h"

namespace hocket {

/// Who owns which slot.
template <class Order, class Entity>
class Ranks : public RaisesToSlot<typename Order::Slot> {
 public:
  using Slot = typename Order::Slot;

  void join(Entity& entity, Slot slot) {
    entity.rank = slot;
    entity.slot = slot;
    with_rank_[slot] = &entity;
  }
  Entity* at(Slot slot) const { return with_rank_[slot]; }

 protected:
  void forget() {
    for (Entity*& entity : with_rank_) entity = nullptr;
  }

 private:
  Entity* with_rank_[Order::kSlots] = {};
};

template <class Order, class Entity>
class HeapQueue : public Ranks<Order, Entity> {
 public:
  void reset(unsigned) {
    while (!heap_.empty()) heap_.remove(heap_.top());
    this->forget();
  }
  void insert(Entity& entity) { static_cast<void>(heap_.insert(entity)); }
  void remove(Entity& entity) {
    if (heap_.contains(entity)) heap_.remove(entity);
  }
  Entity* first() const { return heap_.empty() ? nullptr : &heap_.top(); }

 private:
  IndexedHeap<Entity, Order::kSlots> heap_;
};

/// Whom one preempts is mostly who goes on next, so it is not put into the heap at once: whoever
/// comes before all others stands in front of it.
template <class Order, class Entity>
class FrontAndHeap : public HeapQueue<Order, Entity> {
  using Heap = HeapQueue<Order, Entity>;

 public:
  void reset(unsigned slots) {
    front_ = nullptr;
    Heap::reset(slots);
  }
  void insert(Entity& entity) {
    const Entity* const other = first();
    if (other != nullptr && !Order::precedes(entity, *other)) return put(entity);
    if (front_ != nullptr) put(*front_);
    front_ = &entity;
  }
  void remove(Entity& entity) {
    if (front_ != &entity) return Heap::remove(entity);
    front_ = nullptr;
  }
  Entity* first() const { return front_ != nullptr ? front_ : Heap::first(); }

 private:
  HOCKET_RARE void put(Entity& entity) { Heap::insert(entity); }

  Entity* front_ = nullptr;
};

/// The same for a few slots.
template <class Order, class Entity>
class FewQueue : public Ranks<Order, Entity> {
  using Set = ChosenType<(Order::kSlots <= 8), uint8_t, uint16_t>;
  static_assert(Order::kSlots <= 16);

 public:
  void reset(unsigned) {
    ready_ = 0;
    this->forget();
  }
  void insert(const Entity& entity) { ready_ |= flag(entity); }
  void remove(const Entity& entity) { ready_ &= static_cast<Set>(~flag(entity)); }
  [[gnu::noinline]] Entity* first() const {
    Entity* first = nullptr;
    uint8_t slot = 0;
    for (Set left = ready_; left != 0; left >>= 1, ++slot) {
      if ((left & 1) == 0) continue;
      Entity* const entity = this->at(slot);
      if (first == nullptr || Order::precedes(*entity, *first)) first = entity;
    }
    return first;
  }

 private:
  static Set flag(const Entity& entity) { return set_of<Set>(entity.rank); }

  Set ready_ = 0;
};

/// The order in the heap.
template <class Entity>
  requires requires { typename Entity::InHeap; }
bool earlier(const Entity& a, const Entity& b) {
  return Entity::InHeap::precedes(a, b);
}

namespace detail {
template <bool kKept>
struct IndexInHeap {
  uint16_t heap_index = kNotInHeap;
};
template <>
struct IndexInHeap<false> {};
}  // namespace detail

/// What such orders have in common. Who holds a lock with a ceiling comes before all others;
/// whoever waits may come first when its time has come, so every instant of the timeline counts.
/// `kFew`: they are looked through.
template <unsigned kMostSlots, bool kCeilings = true, bool kFew = false>
struct HeapOrder {
  using Slot = ChosenType<(kMostSlots < 0xff), uint8_t, uint16_t>;
  static constexpr unsigned kSlots = kMostSlots;
  static constexpr Slot kAll = static_cast<Slot>(~0u);
  static constexpr bool kByRank = false;

  struct Place : PlaceByRank<Slot, kCeilings>, detail::IndexInHeap<!kFew> {};
  template <class Order, class Entity>
  using QueueOf = ChosenType<kFew, FewQueue<Order, Entity>, HeapQueue<Order, Entity>>;
  template <class Order, class Entity>
  using FrontQueueOf = ChosenType<kFew, FewQueue<Order, Entity>, FrontAndHeap<Order, Entity>>;

  /// Nobody of those who wait comes before a holder.
  static Slot reach(const Place& place) { return place.raised() ? Slot{0} : kAll; }

  static bool above_all(const Place& a) { return a.raised() && a.slot == 0; }
  static bool either_raised(const Place& a, const Place& b) { return a.raised() || b.raised(); }
  static bool raised_first(const Place& a, const Place& b) {
    return a.raised() && (!b.raised() || a.slot < b.slot);
  }
};

}  // namespace hocket
