// What every order stores in an entity: its rank and the slot that it currently occupies.
//
// The functions of an order are static: its state is in the entities and in its Queue. The policy
// calls them with the core locked.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// The criterion by which an order ranks entities. Admission needs to know no more about an order
/// (admission/policy_analysis.h).
enum class Ranking : uint8_t {
  Priority,          // by a rank that never changes
  Deadline,          // by the earliest deadline
  DeadlineThenTurn,  // the same; entities without a period take turns in the time that is left
  Turn,              // entities take turns, so nothing is guaranteed
};

/// The hooks of an order that has no turns. All of them are empty.
struct NoTurns {
  template <class Entity>
  static void stopped(Entity&) {}
  template <class Entity, class Instant>
  static void end_turn(Entity&, Instant) {}
  template <class Entity, class Instant>
  static void keep_recent(Entity&, Instant) {}
};

/// Base class of a queue in which raising an entity only moves it to the ceiling's slot.
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
  /// Moves an entity that is not in the queue from its ceiling back to its rank.
  template <class Entity>
  static void settle(Entity& entity) {
    entity.slot = entity.rank;
  }
};

/// Without ceilings no entity is ever raised, so rank and slot are the same field.
template <class Slot, bool kCeilings>
struct PlaceByRank {
  Slot rank = 0;  // the slot of its own priority
  Slot slot = 0;  // the slot that it occupies: its rank, or the ceiling to which it was raised
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
