// The scheduled entity: a virtual CPU as its policy sees it, in one of the states of
// state_machine.h.
//
// After an entity has joined its core, only the policy writes these fields, except that migration.h
// sets `wanted`; other code may read them. Fields that only ceilings, observers, parts or
// best-effort entities need exist only in systems that have those features.
#pragma once

#include "kernel/base/time.h"
#include "kernel/base/turns.h"

namespace hocket {

namespace detail {
template <class Instant, bool kKept>
struct CeilingNotes {
  Instant hold_until;  // valid while the entity is raised: its limit
};
template <class Instant>
struct CeilingNotes<Instant, false> {};

template <class Instant, bool kKept>
struct ReleaseNotes {
  Instant release;  // since when its head has been usable; valid while Ready
};
template <class Instant>
struct ReleaseNotes<Instant, false> {};

/// For a virtual CPU that is split into two parts on two cores (two_parts.h): the fields of one
/// part.
template <class Entity, class Instant, class Duration, bool kKept>
struct PartNotes {
  Entity* other = nullptr;  // the other part; null: the virtual CPU is whole
  bool second = false;
  Duration offset;   // first part only: from its release to the release of the second part
  Duration as_good;  // how much later the first part may become usable and still be preferred
  // For the thread that moves to this part: since when it wants to run here, and how long before
  // that instant the measured response began.
  Instant wanted;
  Duration before;
};
template <class Entity, class Instant, class Duration>
struct PartNotes<Entity, Instant, Duration, false> {};

template <bool kKept>
struct BestEffortNote {
  bool best_effort = false;  // has no budget and runs in idle time only (implies `background`)
};
template <>
struct BestEffortNote<false> {
  static constexpr bool best_effort = false;
};
}  // namespace detail

/// The queue in which background entities take turns in idle time.
template <class Entity, class Server, class Order>
using TurnsFor = Turns<Entity, Server::Instant::kCircular && Order::kSlots <= 8>;

/// `Entity` is the class derived from this template. Order::Place holds the order's own fields.
template <class Entity, class Server, class Order, bool kCeilings, bool kBestEffort, bool kObserved>
struct SchedulingEntity : TurnsFor<Entity, Server, Order>::Node,
                          Order::Place,
                          detail::BestEffortNote<kBestEffort>,
                          detail::CeilingNotes<typename Server::Instant, kCeilings>,
                          detail::ReleaseNotes<typename Server::Instant, kObserved>,
                          detail::PartNotes<Entity, typename Server::Instant,
                                            typename Server::Duration, Order::kSplits> {
  using Instant = typename Server::Instant;
  enum class State : uint8_t { Blocked, Sleeping, Ready };
  State state = State::Blocked;
  bool background = false;  // may use idle time while it has no budget
  Server server;
  Instant wake_at;  // valid while Sleeping

  bool is_ready() const { return state == State::Ready; }
};

}  // namespace hocket
