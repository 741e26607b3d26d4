// Earliest deadline first; in the time that is left, levels of priority. An entity without period
// has no deadline, and takes turns.
//
// A sporadic server with a period of 0 acts as a time slice: what was used of it returns at once.
#pragma once

#include "kernel/sched/deadline_order.h"
#include "policies/level_order.h"

namespace hocket {

template <class Rep, unsigned kMostSlots, bool kCeilings = true>
struct HybridOrder : HeapOrder<kMostSlots, kCeilings, kCircularTime<Rep>> {
  using Base = HeapOrder<kMostSlots, kCeilings, kCircularTime<Rep>>;
  using Deadlines = DeadlineOrder<Rep, kMostSlots, /*kMaySplit=*/false, kCeilings>;
  using Levels = LevelOrder<Rep, kMostSlots, kCeilings>;
  static constexpr Ranking kRanking = Ranking::DeadlineThenTurn;
  static constexpr bool kByKey = true, kSplits = false, kDraws = false;

  struct Place : Base::Place, detail::RaisedPlace<Rep, kCeilings> {
    using InHeap = HybridOrder;
    BasicDuration<Rep> due_after;
    uint8_t level = Levels::kLevels - 1;
  };

  /// Entities with a deadline, and holders of locks, precede those that take turns.
  struct Key {
    uint8_t level;  // 1 + level of turns; 0: has a deadline
    typename Deadlines::Key at;
    friend bool operator<(const Key& a, const Key& b) {
      return a.level != b.level ? a.level < b.level : a.at < b.at;
    }
    static Key last() { return {0xff, Deadlines::Key::last()}; }
  };
  template <class Entity>
  static Key key(const Entity& entity, BasicInstant<Rep> since) {
    if (takes_turns(entity)) return turn_key(entity, since);
    return {0, Deadlines::key(entity, since)};
  }
  template <class Entity>
  static Key key_now(const Entity& entity) {
    if (takes_turn_now(entity)) return turn_key(entity, entity.server.time());
    return {0, Deadlines::key_now(entity)};
  }
  template <class Entity>
  static Key last_key(const Entity& entity) {
    return {0xfe, Deadlines::last_key(entity)};
  }

  template <class Entity>
  static bool takes_turns(const Entity& entity) {
    return entity.server.period() == BasicDuration<Rep>(0);
  }
  /// A holder of a lock has the deadline that the users of its lock could have.
  template <class Entity>
  static bool takes_turn_now(const Entity& entity) {
    return takes_turns(entity) && !entity.raised();
  }
  template <class Entity>
  static bool precedes(const Entity& a, const Entity& b) {
    if (Base::either_raised(a, b)) return holder_precedes(a, b);
    if (takes_turns(a) != takes_turns(b)) return takes_turns(b);
    return takes_turns(a) ? Levels::turn_precedes(a, b) : Deadlines::due_precedes(a, b);
  }
  /// For two entities of which at least one holds a lock, and so takes no turn.
  template <class Entity>
  HOCKET_RARE static bool holder_precedes(const Entity& a, const Entity& b) {
    if (takes_turn_now(a) != takes_turn_now(b)) return takes_turn_now(b);
    return Deadlines::holder_precedes(a, b);
  }
  template <class Entity>
  static void joined(Entity& entity) {
    Deadlines::joined(entity);
  }
  template <class Entity, class Instant>
  static void end_turn(Entity& entity, Instant now) {
    if (takes_turns(entity)) entity.server.refresh(now);
  }
  /// The next turn is a whole slice and begins when the entity wakes. Without this it would begin
  /// earlier by what was used of the present slice.
  template <class Entity>
  static void stopped(Entity& entity) {
    if (takes_turns(entity)) entity.server.forget_used();
  }
  /// See TimeSlice::keep_recent (time_slice.h).
  template <class Entity, class Instant>
  static void keep_recent(Entity& entity, Instant now) {
    if (takes_turns(entity)) entity.server.refresh(now - Instant::quarter_turn());
  }

  template <class Entity>
  using Queue = DeadlineQueueFor<Rep, kCeilings, HybridOrder, Entity>;

 private:
  template <class Entity>
  static Key turn_key(const Entity& entity, BasicInstant<Rep> since) {
    return {static_cast<uint8_t>(1 + entity.level), {since, entity.rank}};
  }
};

}  // namespace hocket
