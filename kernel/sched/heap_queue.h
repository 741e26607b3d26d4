// The queue of an order that compares ready entities with each other and keeps nothing by slot: a
// heap, ordered by the order's own comparison. On small processors, with few entities, it is a set
// of bits that is searched.
//
// An order uses one of these classes as its Queue. Its Place must have a rank and a slot and, for
// the heap, a `heap_index` and the name of the order as InHeap. The compared values of an entity
// must not change while it is in a heap.
#pragma once

#include "kernel/base/heap.h"
#include "kernel/base/slot_set.h"
#include "kernel/sched/order.h"

namespace hocket {

/// Maps each slot to the entity that owns it.
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

/// A heap with the first entity in front of it. A preempted entity usually runs next, so it is not
/// put into the heap at once.
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

/// HeapQueue for few slots.
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

/// The same for up to 128 slots.
template <class Order, class Entity>
  requires(Order::kSlots > 16)
class FewQueue<Order, Entity> : public Ranks<Order, Entity> {
 public:
  void reset(unsigned) {
    ready_.clear();
    this->forget();
  }
  void insert(const Entity& entity) { ready_.insert(entity.rank); }
  void remove(const Entity& entity) { ready_.remove(entity.rank); }
  [[gnu::noinline]] Entity* first() const {
    Entity* first = nullptr;
    ready_.each([&](uint8_t slot) {
      Entity* const entity = this->at(slot);
      if (first == nullptr || Order::precedes(*entity, *first)) first = entity;
      return true;
    });
    return first;
  }

 private:
  SlotSet<Order::kSlots, SlotWords::Bytes> ready_;
};

/// The comparison that IndexedHeap uses.
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

/// The common part of orders that use such queues. The holder of a lock with a ceiling precedes all
/// others. Any waiting entity may come first when its time comes, so every instant of the timeline
/// counts. `kFew`: the queue is a set that is searched.
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

  /// No waiting entity precedes a holder.
  static Slot reach(const Place& place) { return place.raised() ? Slot{0} : kAll; }

  static bool above_all(const Place& a) { return a.raised() && a.slot == 0; }
  static bool either_raised(const Place& a, const Place& b) { return a.raised() || b.raised(); }
  static bool raised_first(const Place& a, const Place& b) {
    return a.raised() && (!b.raised() || a.slot < b.slot);
  }
};

}  // namespace hocket
