// Earliest deadline first. The deadline of an entity is a fixed time after its server's budget
// became usable (Ghazalie, Baker 1995). The earliest deadline comes first; on a tie, the lower
// rank.
//
// The deadline follows from the server and does not change while the entity is in the queue, so it
// is not stored. For sleeping entities it is known before they are released. They therefore have a
// key in a priority search tree (base/priority_search_tree.h), and the timer is set only for
// entities that will precede the running one.
//
// While a lock with a ceiling is held, no user of that lock precedes the holder, and other entities
// precede it only with an earlier deadline. This is the stack resource policy (Baker 1991), as a
// floor for the holder's deadline (Burns, Gutiérrez, Aldea Rivas, González Harbour 2015): the
// holder's deadline is at most the earliest deadline that a user of the lock could have if it woke
// now.
//
//   floor of a ceiling = min over all below it of (D − C')         due = min(own, raised at + floor)
//
// It is D − C' and not D, because an entity that wakes after it has used part of its head is due
// that much earlier. The ceiling above all, slot 0, lets no entity preempt: an entity that preempts
// the holder of a spinlock could wait for that lock for ever.
#pragma once

#include "kernel/sched/deadline_queue.h"

namespace hocket {

/// On a circular clock, of a small processor, there are few entities. `kMaySplit`: entities may be
/// parts of split virtual CPUs (two_parts.h).
template <class Rep, unsigned kMostSlots, bool kMaySplit = false, bool kCeilings = true>
struct DeadlineOrder : HeapOrder<kMostSlots, kCeilings, kCircularTime<Rep>>, NoTurns {
  using Base = HeapOrder<kMostSlots, kCeilings, kCircularTime<Rep>>;
  static constexpr bool kByKey = true, kSplits = kMaySplit, kDraws = false;
  static constexpr Ranking kRanking = Ranking::Deadline;

  struct Place : Base::Place, detail::RaisedPlace<Rep, kCeilings> {
    using InHeap = DeadlineOrder;
    /// The deadline relative to the release. If it is 0 when the entity joins a core, it becomes
    /// the period.
    BasicDuration<Rep> due_after;
  };

  template <class Entity>
  static auto due(const Entity& entity) {
    return entity.server.time() + entity.due_after;
  }

  /// A place in the order. Holders of locks precede others with the same deadline.
  struct Key {
    BasicInstant<Rep> due;
    typename Base::Slot tie = 0;
    friend bool operator<(const Key& a, const Key& b) {
      return a.due < b.due || (a.due == b.due && a.tie < b.tie);
    }
    /// After all other keys. Linear clocks only.
    static Key last() { return {BasicInstant<Rep>::never(), Base::kAll}; }
  };
  /// The key of an entity that holds no lock and whose budget counts from `since`.
  template <class Entity>
  static Key key(const Entity& entity, BasicInstant<Rep> since) {
    return {since + entity.due_after, tie(entity)};
  }
  /// The key of a ready entity.
  template <class Entity>
  static Key key_now(const Entity& entity) {
    if constexpr (kCeilings) {
      // Before every instant that is in use.
      if (Base::above_all(entity)) return {entity.raised_at - BasicInstant<Rep>::quarter_turn(), 0};
      if (entity.raised()) return {due_now(entity), 0};
    }
    return key(entity, entity.server.time());
  }
  /// The key of an entity without budget.
  template <class Entity>
  static Key last_key(const Entity& entity) {
    return {BasicInstant<Rep>::never(), tie(entity)};
  }

  /// The deadline, including the floor of the ceiling to which the entity is raised.
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
  /// For two entities that hold no lock.
  template <class Entity>
  static bool due_precedes(const Entity& a, const Entity& b) {
    const auto due_a = due(a), due_b = due(b);
    return due_a < due_b || (due_a == due_b && a.rank < b.rank);
  }
  /// For two entities of which at least one holds a lock.
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
