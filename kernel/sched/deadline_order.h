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

/// `kMaySplit`: entities may be parts of virtual CPUs that have two (split.h).
template <class Rep, unsigned kMostSlots, bool kMaySplit = false>
struct DeadlineOrder : HeapOrder<kMostSlots> {
  using Base = HeapOrder<kMostSlots>;
  static constexpr bool kSplits = kMaySplit;

  struct Place : Base::Place {
    using InHeap = DeadlineOrder;
    /// How long after a release; the period, if it is 0 when its owner joins a core.
    BasicDuration<Rep> due_after;
    // While raised: since when, and when it is due for that.
    BasicInstant<Rep> raised_at;
    BasicInstant<Rep> floor;
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
    if (!entity.raised()) return due(entity);
    return has_own_due(entity) ? smaller(due(entity), entity.floor) : entity.floor;
  }
  /// (Without a budget, and where turns are taken, nothing is ever due but for a lock.)
  template <class Entity>
  static bool has_own_due(const Entity& entity) {
    return !entity.best_effort && entity.server.period() != BasicDuration<Rep>(0);
  }
  template <class Entity>
  static bool precedes(const Entity& a, const Entity& b) {
    if (Base::above_all(a) || Base::above_all(b)) return Base::raised_first(a, b);
    return due_precedes(a, b);
  }
  template <class Entity>
  static bool due_precedes(const Entity& a, const Entity& b) {
    const auto due_a = due_now(a), due_b = due_now(b);
    if (due_a != due_b) return due_a < due_b;
    return a.raised() != b.raised() ? a.raised() : a.slot < b.slot;
  }
  template <class Entity>
  static void joined(Entity& entity) {
    if (entity.due_after == BasicDuration<Rep>(0)) entity.due_after = entity.server.period();
  }

  /// The heap, and the floors of ceilings.
  template <class Order, class Entity>
  class QueueWithFloors : public HeapQueue<Order, Entity> {
    using Heap = HeapQueue<Order, Entity>;
    using Slot = typename Base::Slot;

   public:
    /// (Until somebody is below it a ceiling is as far as a period can be.)
    void reset(unsigned slots) {
      Heap::reset(slots);
      for (auto& floor : floors_) floor = BasicInstant<Rep>::quarter_turn();
    }
    void join(Entity& entity, Slot slot) {
      Heap::join(entity, slot);
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
  template <class Entity>
  using Queue = QueueWithFloors<DeadlineOrder, Entity>;
};

}  // namespace hocket
