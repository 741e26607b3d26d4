// What is scheduled: a virtual CPU as its policy sees it, in one of the states of state_machine.h.
//
// All of it is the policy's; others read it. What only ceilings and only observers need is there
// only where there are some.
#pragma once

#include "kernel/base/time.h"
#include "kernel/base/turns.h"

namespace hocket {

namespace detail {
template <class Instant, bool kKept>
struct CeilingNotes {
  Instant hold_until;  // while raised
};
template <class Instant>
struct CeilingNotes<Instant, false> {};

template <class Instant, bool kKept>
struct ReleaseNotes {
  Instant release;  // since when its present head could be used (while Ready)
};
template <class Instant>
struct ReleaseNotes<Instant, false> {};

/// Of one part of a virtual CPU that has two, on two cores (two_parts.h).
template <class Entity, class Instant, class Duration, bool kKept>
struct PartNotes {
  Entity* other = nullptr;  // null: it is whole
  bool second = false;
  Duration offset;   // of the first part: from its release to that of the second
  Duration as_good;  // so much later the first part is as good as the second
  // Of whoever comes to this part: since when it is wanted here, and how long before that the
  // response began that is measured.
  Instant wanted;
  Duration before;
};
template <class Entity, class Instant, class Duration>
struct PartNotes<Entity, Instant, Duration, false> {};

template <bool kKept>
struct BestEffortNote {
  bool best_effort = false;  // has no budget at all: runs in idle time only (background, too)
};
template <>
struct BestEffortNote<false> {
  static constexpr bool best_effort = false;
};
}  // namespace detail

/// Who has the turns in idle time.
template <class Entity, class Server, class Order>
using TurnsFor = Turns<Entity, Server::Instant::kCircular && Order::kSlots <= 8>;

/// `Entity` is the class made of it; Order::Place is what the order keeps of each.
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
  bool background = false;  // may use idle time when it has no budget
  Server server;
  Instant wake_at;  // while Sleeping

  bool is_ready() const { return state == State::Ready; }
};

}  // namespace hocket
