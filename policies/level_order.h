// Levels of priority, as in a multi-level queue: the lowest level comes first. Within a level, the
// entity that has waited longest for a turn comes first (time_slice.h). A preempted entity keeps
// its place.
#pragma once

#include "kernel/base/time.h"
#include "kernel/sched/heap_queue.h"

namespace hocket {

template <class Rep, unsigned kMostSlots, bool kCeilings = true>
struct LevelOrder : HeapOrder<kMostSlots, kCeilings, kCircularTime<Rep>> {
  using Base = HeapOrder<kMostSlots, kCeilings, kCircularTime<Rep>>;
  static constexpr Ranking kRanking = Ranking::Turn;
  static constexpr bool kByKey = true, kSplits = false, kDraws = false;
  static constexpr uint8_t kLevels = 32;

  struct Place : Base::Place {
    using InHeap = LevelOrder;
    uint8_t level = kLevels - 1;  // set this before the entity joins a core
  };

  /// Holders of locks precede all levels.
  struct Key {
    uint8_t level;  // 1 + level; 0: a holder of a lock
    typename Base::Slot tie;
    BasicInstant<Rep> since;
    friend bool operator<(const Key& a, const Key& b) {
      if (a.level != b.level) return a.level < b.level;
      return a.since < b.since || (a.since == b.since && a.tie < b.tie);
    }
    static Key last() { return {0xff, Base::kAll, BasicInstant<Rep>()}; }
  };
  template <class Entity>
  static Key key(const Entity& entity, BasicInstant<Rep> since) {
    return {static_cast<uint8_t>(1 + entity.level), entity.rank, since};
  }
  template <class Entity>
  static Key key_now(const Entity& entity) {
    if (entity.raised()) return {0, entity.slot, BasicInstant<Rep>()};
    return key(entity, entity.server.time());
  }
  template <class Entity>
  static Key last_key(const Entity& entity) {
    return {0xfe, entity.rank, BasicInstant<Rep>()};
  }

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
  static void joined(Entity&) {}
  template <class Entity>
  static void stopped(Entity&) {}

  template <class Entity>
  using Queue = typename Base::template QueueOf<LevelOrder, Entity>;
};

}  // namespace hocket
