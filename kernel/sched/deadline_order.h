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

#include "kernel/sched/deadline_queue.h"

namespace hocket {

/// On a circular clock, of a small processor, there are few. `kMaySplit`: entities may be parts of
/// virtual CPUs that have two (split.h).
template <class Rep, unsigned kMostSlots, bool kMaySplit = false, bool kCeilings = true>
struct DeadlineOrder : HeapOrder<kMostSlots, kCeilings, kCircularTime<Rep>> {
  using Base = HeapOrder<kMostSlots, kCeilings, kCircularTime<Rep>>;
  static constexpr bool kSplits = kMaySplit;
  static constexpr Ranking kRanking = Ranking::Deadline;

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
        return has_deadline(entity) ? smaller(due(entity), entity.floor) : entity.floor;
      }
    }
    return due(entity);
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

  template <class Entity>
  using Queue = DeadlineQueueFor<Rep, kCeilings, DeadlineOrder, Entity>;
};

}  // namespace hocket
