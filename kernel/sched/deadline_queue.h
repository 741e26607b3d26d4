// The queue of an order by deadlines. Besides the ready entities it keeps the floors of ceilings
// (deadline_order.h has their formula).
#pragma once

#include "kernel/base/time.h"
#include "kernel/sched/heap_queue.h"

namespace hocket {

namespace detail {
template <class Rep, bool kCeilings>
struct RaisedPlace {  // valid while raised: since when, and the deadline that follows
  BasicInstant<Rep> raised_at;
  BasicInstant<Rep> floor;
};
template <class Rep>
struct RaisedPlace<Rep, false> {};
}  // namespace detail

/// False for entities without budget or without period: only a lock gives those a deadline.
template <class Entity>
bool has_deadline(const Entity& entity) {
  return !entity.best_effort && entity.server.period() != decltype(entity.server.period())(0);
}

template <class Rep, class Order, class Entity>
class DeadlineQueue : public Order::template FrontQueueOf<Order, Entity> {
  using Ready = typename Order::template FrontQueueOf<Order, Entity>;

 public:
  using typename Ready::Slot;

  /// The floor of a ceiling without entities below it is the longest possible period.
  void reset(unsigned slots) {
    Ready::reset(slots);
    for (auto& floor : floors_) floor = BasicInstant<Rep>::quarter_turn();
  }
  void join(Entity& entity, Slot slot) {
    Ready::join(entity, slot);
    if (!has_deadline(entity)) return;
    const auto floor = entity.due_after - entity.server.rest();
    for (Slot above = 0; above < slot; ++above) floors_[above] = smaller(floors_[above], floor);
  }
  void raise(Entity& entity, Slot slot, BasicInstant<Rep> now) {
    if (!entity.raised()) entity.raised_at = now;
    lower(entity, slot);
  }
  /// Moves the entity to a ceiling that it still holds, or to its own rank.
  void lower(Entity& entity, Slot slot) {
    entity.slot = slot;
    if (entity.raised()) entity.floor = entity.raised_at + floors_[slot];
  }

 private:
  BasicDuration<Rep> floors_[Order::kSlots] = {};
};

/// For an order whose Place has `due_after` and, with ceilings, is a RaisedPlace.
template <class Rep, bool kCeilings, class Order, class Entity>
using DeadlineQueueFor = ChosenType<kCeilings, DeadlineQueue<Rep, Order, Entity>,
                                    typename Order::template FrontQueueOf<Order, Entity>>;

}  // namespace hocket
