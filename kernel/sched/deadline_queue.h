// What a queue by deadlines knows of its slots, besides who is ready: how far the timer of who runs
// reaches, and the floors of ceilings (deadline_order.h has their formula).
//
//   soonest = D − C'       how soon after it wakes somebody may be due: it may have used some of
//                          its head already (of an I/O virtual CPU: D)
//   timer reach of r       behind the last one whose soonest is less than r's D
//
// Who becomes ready while r runs is due its soonest later, and r a D after its release at the
// latest: so nobody from the timer reach on comes before r, and no timer is set for him.
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

template <class Order, class Entity>
class DeadlineQueue : public Order::template FrontQueueOf<Order, Entity> {
  using Ready = typename Order::template FrontQueueOf<Order, Entity>;

 public:
  using Slot = typename Order::Slot;

  void reset(unsigned slots) {
    Ready::reset(slots);
    for (Slot& reach : reach_) reach = Order::kAll;
  }
  void join(Entity& entity, Slot slot) {
    Ready::join(entity, slot);
    if (!has_deadline(entity)) return;
    Slot reach = 0;
    for (Slot other = 0; other < Order::kSlots; ++other) {
      const Entity* const one = this->at(other);
      if (one == nullptr || !has_deadline(*one)) continue;
      if (soonest(*one) < entity.due_after) reach = static_cast<Slot>(other + 1);
      if (other != slot && soonest(entity) < one->due_after && reach_[other] <= slot) {
        reach_[other] = static_cast<Slot>(slot + 1);
      }
    }
    reach_[slot] = reach;
  }
  Slot timer_reach(const Entity& entity) const {
    return entity.raised() ? Order::reach(entity) : reach_[entity.rank];
  }

 private:
  /// (Before its owner has used anything.)
  static auto soonest(const Entity& entity) {
    if constexpr (requires { entity.server.serves_io(); }) {
      if (entity.server.serves_io()) return entity.due_after;
    }
    return entity.due_after - entity.server.whole();
  }

  Slot reach_[Order::kSlots] = {};
};

template <class Rep, class Order, class Entity>
class DeadlineQueueWithFloors : public DeadlineQueue<Order, Entity> {
  using Ready = DeadlineQueue<Order, Entity>;

 public:
  using typename Ready::Slot;

  /// (Until somebody is below it a ceiling is as far as a period can be.)
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
using DeadlineQueueFor = ChosenType<kCeilings, DeadlineQueueWithFloors<Rep, Order, Entity>,
                                    DeadlineQueue<Order, Entity>>;

}  // namespace hocket
