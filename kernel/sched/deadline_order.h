// Earliest deadline first: what a server may use now is due so long after it could first be used
// (Ghazalie, Baker 1995), and what is due first comes first; between equals the lower rank.
//
// When something is due follows from the server, and that does not change in the queue: nothing is
// kept.
//
// A lock's ceiling means here: while it is held, nobody comes first who uses it, and others only
// with an earlier deadline. That is the stack resource policy (Baker 1991), in the form of a floor
// for the holder's deadline (Burns, Gutiérrez, Aldea Rivas, González Harbour 2015): what the holder
// does is due at the latest when the most urgent user could be due that wakes just now.
//
//   floor of a ceiling = min over all below it of (D − C')         due = min(own, raised at + floor)
//
// D − C' and not D: who wakes and has used some of its head already is due that much earlier. The
// ceiling above all, slot 0, lets nobody in: whom a holder of a spinlock gave way to could wait for
// it for ever.
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

/// On a circular clock, of a small processor, there are few. `kMaySplit`: entities may be parts of
/// virtual CPUs that have two (split.h).
template <class Rep, unsigned kMostSlots, bool kMaySplit = false, bool kCeilings = true>
struct DeadlineOrder : HeapOrder<kMostSlots, kCeilings, kCircularTime<Rep>> {
  using Base = HeapOrder<kMostSlots, kCeilings, kCircularTime<Rep>>;
  static constexpr bool kSplits = kMaySplit;

  struct Place : Base::Place, detail::RaisedPlace<Rep, kCeilings> {
    using InHeap = DeadlineOrder;
    /// How long after a release; the period, if it is 0 when its owner joins a core.
    BasicDuration<Rep> due_after;
  };

  template <class Entity>
  static auto due(const Entity& entity) {
    return entity.server.time() + entity.due_after;
  }
  /// Nobody at or below its ceiling comes before a holder.
  static typename Base::Slot reach(const typename Base::Place& place) {
    return place.raised() ? place.slot : Base::kAll;
  }
  /// With what its locks make of it.
  template <class Entity>
  static auto due_now(const Entity& entity) {
    if constexpr (kCeilings) {
      if (entity.raised()) {
        return has_own_due(entity) ? smaller(due(entity), entity.floor) : entity.floor;
      }
    }
    return due(entity);
  }
  /// (Without a budget, and where turns are taken, nothing is ever due but for a lock.)
  template <class Entity>
  static bool has_own_due(const Entity& entity) {
    return !entity.best_effort && entity.server.period() != BasicDuration<Rep>(0);
  }
  template <class Entity>
  static bool precedes(const Entity& a, const Entity& b) {
    if (Base::either_raised(a, b)) return holder_precedes(a, b);
    return due_precedes(a, b);
  }
  /// Neither holds a lock.
  template <class Entity>
  static bool due_precedes(const Entity& a, const Entity& b) {
    const auto due_a = due(a), due_b = due(b);
    return due_a < due_b || (due_a == due_b && a.rank < b.rank);
  }
  /// One of them does, at least.
  template <class Entity>
  HOCKET_RARE static bool holder_precedes(const Entity& a, const Entity& b) {
    if (Base::above_all(a) || Base::above_all(b)) return Base::raised_first(a, b);
    const auto due_a = due_now(a), due_b = due_now(b);
    if (due_a != due_b) return due_a < due_b;
    return a.raised() != b.raised() ? a.raised() : a.slot < b.slot;
  }
  /// Whether one that is blocked, and has budget, would come before another one were it woken now:
  /// its budget would count from now on.
  template <class Entity, class Instant>
  static bool would_precede(const Entity& blocked, const Entity& other, Instant now) {
    if (Base::above_all(other)) return false;
    const auto due_then = now + blocked.due_after, due_other = due_now(other);
    if (due_then != due_other) return due_then < due_other;
    return !other.raised() && blocked.slot < other.slot;
  }
  template <class Entity>
  static void joined(Entity& entity) {
    if (entity.due_after == BasicDuration<Rep>(0)) entity.due_after = entity.server.period();
  }

  /// Those that are ready, and who may come before whom.
  ///
  ///   soonest = D − C'       how soon after it wakes somebody may be due: it may have used some of
  ///                          its head already (of an I/O virtual CPU: D)
  ///   timer reach of r       behind the last one whose soonest is less than r's D
  ///
  /// Who becomes ready while r runs is due its soonest later, and r a D after its release at the
  /// latest: so nobody from the timer reach on comes before r, and no timer is set for him.
  template <class Order, class Entity>
  class DeadlineQueue : public Base::template FrontQueueOf<Order, Entity> {
    using Ready = typename Base::template FrontQueueOf<Order, Entity>;
    using Slot = typename Base::Slot;
    using Duration = BasicDuration<Rep>;

   public:
    void reset(unsigned slots) {
      Ready::reset(slots);
      for (Slot& reach : reach_) reach = Base::kAll;
    }
    void join(Entity& entity, Slot slot) {
      Ready::join(entity, slot);
      if (!has_own_due(entity)) return;
      Slot reach = 0;
      for (Slot other = 0; other < Base::kSlots; ++other) {
        const Entity* const one = this->at(other);
        if (one == nullptr || !has_own_due(*one)) continue;
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

   protected:
    /// (Before its owner has used anything.)
    static Duration soonest(const Entity& entity) {
      if constexpr (requires { entity.server.serves_io(); }) {
        if (entity.server.serves_io()) return entity.due_after;
      }
      return entity.due_after - entity.server.whole();
    }

   private:
    Slot reach_[Base::kSlots] = {};
  };

  /// …and the floors of ceilings.
  template <class Order, class Entity>
  class QueueWithFloors : public DeadlineQueue<Order, Entity> {
    using Ready = DeadlineQueue<Order, Entity>;
    using Slot = typename Base::Slot;

   public:
    /// (Until somebody is below it a ceiling is as far as a period can be.)
    void reset(unsigned slots) {
      Ready::reset(slots);
      for (auto& floor : floors_) floor = BasicInstant<Rep>::quarter_turn();
    }
    void join(Entity& entity, Slot slot) {
      Ready::join(entity, slot);
      if (!has_own_due(entity)) return;
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
    BasicDuration<Rep> floors_[Base::kSlots] = {};
  };
  template <class Order, class Entity>
  using QueueFor =
      ChosenType<kCeilings, QueueWithFloors<Order, Entity>, DeadlineQueue<Order, Entity>>;
  template <class Entity>
  using Queue = QueueFor<DeadlineOrder, Entity>;
};

}  // namespace hocket
