// Earliest deadline first: what a server may use now is due so long after it could first be used
// (Ghazalie, Baker 1995), and what is due first comes first; between equals the lower rank.
//
// When something is due follows from the server, and that does not change in the queue: nothing is
// kept.
#pragma once

#include "kernel/base/time.h"
#include "kernel/sched/heap_queue.h"

namespace hocket {

template <class Rep, unsigned kMostSlots>
struct DeadlineOrder : HeapOrder<kMostSlots> {
  using Base = HeapOrder<kMostSlots>;

  struct Place : Base::Place {
    using InHeap = DeadlineOrder;
    /// How long after a release; the period, if it is 0 when its owner joins a core.
    BasicDuration<Rep> due_after;
  };

  template <class Entity>
  static auto due(const Entity& entity) {
    return entity.server.time() + entity.due_after;
  }
  template <class Entity>
  static bool precedes(const Entity& a, const Entity& b) {
    if (Base::either_raised(a, b)) return Base::raised_first(a, b);
    return due_precedes(a, b);
  }
  template <class Entity>
  static bool due_precedes(const Entity& a, const Entity& b) {
    return due(a) < due(b) || (due(a) == due(b) && a.rank < b.rank);
  }
  template <class Entity>
  static void joined(Entity& entity) {
    if (entity.due_after == BasicDuration<Rep>(0)) entity.due_after = entity.server.period();
  }

  template <class Entity>
  using Queue = HeapQueue<DeadlineOrder, Entity>;
};

}  // namespace hocket
