// The queue of an order by deadlines, which besides the ready knows the floors of ceilings
// (deadline_order.h has their formula).
#pragma once

#include "kernel/base/time.h"
#include "kernel/sched/heap_queue.h"

namespace hocket {

namespace detail {
template <class Rep, bool kCeilings>
struct RaisedPlace {  // while raised: since when, and when it is due for that
  BasicInstant<Rep> raised_at;
  BasicInstant<Rep> floor;
};
template <class Rep>
struct RaisedPlace<Rep, false> {};
}  // namespace detail

/// (Without a budget, and where turns are taken, nothing is ever due but for a lock.)
template <class Entity>
bool has_deadline(const Entity& entity) {
  return !entity.best_effort && entity.server.period() != decltype(entity.server.period())(0);
}

template <class Rep, class Order, class Entity>
class DeadlineQueue : public Order::template FrontQueueOf<Order, Entity> {
  using Ready = typename Order::template FrontQueueOf<Order, Entity>;

 public:
  using typename Ready::Slot;

  /// (Until an entity is below it a ceiling is as far as a period can be.)
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
  /// To a ceiling that it has still, or to its own rank.
  void lower(Entity& entity, Slot slot) {
    entity.slot = slot;
    if (entity.raised()) entity.floor = entity.raised_at + floors_[slot];
  }

 private:
  BasicDuration<Rep> floors_[Order::kSlots] = {};
};

/// Of an order whose Place has `due_after` and, with ceilings, a RaisedPlace.
template <class Rep, bool kCeilings, class Order, class Entity>
using DeadlineQueueFor = ChosenType<kCeilings, DeadlineQueue<Rep, Order, Entity>,
                                    typename Order::template FrontQueueOf<Order, Entity>>;

}  // namespace hocket
