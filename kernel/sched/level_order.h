// Levels of priority, as in a multi-level queue: whoever has the lowest level comes first, and
// within a level who has waited longest for a turn (time_slice.h). Who is preempted keeps its
// place.
#pragma once

#include "kernel/sched/heap_queue.h"

namespace hocket {

template <unsigned kMostSlots, bool kCeilings = true, bool kFew = false>
struct LevelOrder : HeapOrder<kMostSlots, kCeilings, kFew> {
  using Base = HeapOrder<kMostSlots, kCeilings, kFew>;
  static constexpr Ranking kRanking = Ranking::Turn;
  static constexpr uint8_t kLevels = 32;

  struct Place : Base::Place {
    using InHeap = LevelOrder;
    uint8_t level = kLevels - 1;  // of its owner, before it joins a core
  };

  template <class Entity>
  static bool precedes(const Entity& a, const Entity& b) {
    if (Base::either_raised(a, b)) return Base::raised_first(a, b);
    return turn_precedes(a, b);
  }
  template <class Entity>
  static bool turn_precedes(const Entity& a, const Entity& b) {
    if (a.level != b.level) return a.level < b.level;
    const auto since_a = a.server.time(), since_b = b.server.time();
    return since_a < since_b || (since_a == since_b && a.rank < b.rank);
  }
  template <class Entity, class Instant>
  static void end_turn(Entity& entity, Instant now) {
    entity.server.refresh(now);
  }

  template <class Entity, class Instant>
  static void keep_recent(Entity& entity, Instant now) {
    entity.server.keep_recent(now);
  }

  template <class Entity>
  using Queue = typename Base::template QueueOf<LevelOrder, Entity>;
};

}  // namespace hocket
