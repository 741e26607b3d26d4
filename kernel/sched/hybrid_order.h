// Earliest deadline first, and in what that leaves levels of priority: whoever has no period has no
// deadline, and takes turns.
//
// A sporadic server with a period of 0 is a time slice: what was used of it is back at once.
#pragma once

#include "kernel/sched/deadline_order.h"
#include "kernel/sched/level_order.h"

namespace hocket {

template <class Rep, unsigned kMostSlots>
struct HybridOrder : HeapOrder<kMostSlots> {
  using Base = HeapOrder<kMostSlots>;
  using Deadlines = DeadlineOrder<Rep, kMostSlots>;
  using Levels = LevelOrder<kMostSlots>;

  struct Place : Base::Place {
    using InHeap = HybridOrder;
    BasicDuration<Rep> due_after;
    BasicInstant<Rep> raised_at;
    BasicInstant<Rep> floor;
    uint8_t level = Levels::kLevels - 1;
  };

  /// Nobody at or below its ceiling comes before a holder.
  static typename Base::Slot reach(const typename Base::Place& place) {
    return place.raised() ? place.slot : Base::kAll;
  }
  template <class Entity>
  static bool takes_turns(const Entity& entity) {
    return entity.server.period() == BasicDuration<Rep>(0);
  }
  /// A holder is due when the users of its lock could be.
  template <class Entity>
  static bool takes_turn_now(const Entity& entity) {
    return takes_turns(entity) && !entity.raised();
  }
  template <class Entity>
  static bool precedes(const Entity& a, const Entity& b) {
    if (Base::above_all(a) || Base::above_all(b)) return Base::raised_first(a, b);
    if (takes_turn_now(a) != takes_turn_now(b)) return takes_turn_now(b);
    return takes_turn_now(a) ? Levels::turn_precedes(a, b) : Deadlines::due_precedes(a, b);
  }
  template <class Entity>
  static void joined(Entity& entity) {
    Deadlines::joined(entity);
  }
  template <class Entity, class Instant>
  static void end_turn(Entity& entity, Instant now) {
    if (takes_turns(entity)) entity.server.refresh(now);
  }

  template <class Entity>
  using Queue = typename Deadlines::template QueueWithFloors<HybridOrder, Entity>;
};

}  // namespace hocket
