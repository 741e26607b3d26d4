// Earliest deadline first: what a server may use now is due so long after it could first be used
// (Ghazalie, Baker 1995), and what is due first comes first; between equals the lower rank.
//
// When something is due follows from the server, and that does not change in the queue: nothing is
// kept. Of those that sleep it is known before they are released: so they have a key in a priority
// search tree (base/priority_search_tree.h), and a timer is set for those only that will come
// before the running entity.
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
/// virtual CPUs that have two (two_parts.h).
template <class Rep, unsigned kMostSlots, bool kMaySplit = false, bool kCeilings = true>
struct DeadlineOrder : HeapOrder<kMostSlots, kCeilings, kCircularTime<Rep>>, NoTurns {
  using Base = HeapOrder<kMostSlots, kCeilings, kCircularTime<Rep>>;
  static constexpr bool kByKey = true, kSplits = kMaySplit, kDraws = false;
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

  /// A place in the order. Holders of locks come before others that are due at the same instant.
  struct Key {
    BasicInstant<Rep> due;
    typename Base::Slot tie = 0;
    friend bool operator<(const Key& a, const Key& b) {
      return a.due < b.due || (a.due == b.due && a.tie < b.tie);
    }
    /// Behind all others. (Linear clocks only.)
    static Key last() { return {BasicInstant<Rep>::never(), Base::kAll}; }
  };
  /// Of an entity that holds no lock, with budget that counts from then on.
  template <class Entity>
  static Key key(const Entity& entity, BasicInstant<Rep> since) {
    return {since + entity.due_after, tie(entity)};
  }
  /// Of one that is ready.
  template <class Entity>
  static Key key_now(const Entity& entity) {
    if constexpr (kCeilings) {
      // Before every instant that is in use.
      if (Base::above_all(entity)) return {entity.raised_at - BasicInstant<Rep>::quarter_turn(), 0};
      if (entity.raised()) return {due_now(entity), 0};
    }
    return key(entity, entity.server.time());
  }
  /// Of one that has no budget.
  template <class Entity>
  static Key last_key(const Entity& entity) {
    return {BasicInstant<Rep>::never(), tie(entity)};
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
  template <class Entity>
  static void joined(Entity& entity) {
    if (entity.due_after == BasicDuration<Rep>(0)) entity.due_after = entity.server.period();
  }

  template <class Entity>
  using Queue = DeadlineQueueFor<Rep, kCeilings, DeadlineOrder, Entity>;

 private:
  static typename Base::Slot tie(const typename Base::Place& place) {
    return static_cast<typename Base::Slot>(1 + place.rank);
  }
};

}  // namespace hocket
