// What every order keeps of an entity: its rank, and the slot it is in.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// By what an order ranks entities: all that admission has to know of it
/// (admission/policy_analysis.h).
enum class Ranking : uint8_t {
  Priority,          // a rank that never changes
  Deadline,          // the earlier deadline first
  DeadlineThenTurn,  // the same, and entities without a period take turns in what is left
  Turn,              // taking turns, so nothing is promised
};

/// What happens to an entity in an order that has no turns: nothing.
struct NoTurns {
  template <class Entity>
  static void stopped(Entity&) {}
  template <class Entity, class Instant>
  static void end_turn(Entity&, Instant) {}
  template <class Entity, class Instant>
  static void keep_recent(Entity&, Instant) {}
};

/// Of a queue in which a raised entity has the ceiling's slot, and nothing else changes.
template <class Slot>
struct RaisesToSlot {
  template <class Entity, class Instant>
  static void raise(Entity& entity, Slot slot, Instant) {
    entity.slot = slot;
  }
  template <class Entity>
  static void lower(Entity& entity, Slot slot) {
    entity.slot = slot;
  }
  /// Not in the queue: from its ceiling back to its rank.
  template <class Entity>
  static void settle(Entity& entity) {
    entity.slot = entity.rank;
  }
};

/// `kCeilings`: nobody is ever raised without them, so a rank is all there is to know.
template <class Slot, bool kCeilings>
struct PlaceByRank {
  Slot rank = 0;  // slot of its own priority
  Slot slot = 0;  // slot it is in: its rank, or that of the ceiling it was raised to
  bool raised() const { return slot != rank; }
};
template <class Slot>
struct PlaceByRank<Slot, false> {
  union {
    Slot rank = 0;
    Slot slot;
  };
  static constexpr bool raised() { return false; }
};

}  // namespace hocket
