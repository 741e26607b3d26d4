// The reference scheduler: one core, one tick after the other, plain lists, nothing clever.
//
// It is written from the specification alone, without a look at the kernel, so that an error would
// have to be made twice to go unseen. Everything the specification leaves open is one of the
// choices below; an engine that is compared with the model makes the same ones.
//
// Choices, at one instant t, in this order:
// 1. A running server whose backlog is empty blocks at t (kBlockBeforeArrivals): work that arrives
// for
//    it at the same t wakes it again, it does not merely continue.
// 2. A budget timer that is due at t fires.
// 3. Work of instant t arrives, in the order of the task set.
// 4. The highest-ranked eligible server runs; one that has run and is not chosen is preempted.
// Responses: one is open while a server is ready, and ends when
// - the server blocks (dropped when its release is not before the finish: only background ran);
// - its budget timer fires (the next one is open from the new head's time);
// - it is preempted and the charge consumed the refill, or left a head that is not usable now (both
//   count as exhaustion, at the instant of the preemption).
// Instants at or after the horizon are not simulated.
#pragma once

#include "budget.h"
#include "trace.h"

namespace hocket::test {

/// Who of the eligible comes first; between equals the higher-ranked.
///   Ranks      the higher-ranked
///   Deadlines  the one whose refill's time + deadline is earlier
///   Levels     nobody has a budget: they take turns of `slice` ticks. The lower level; within one
///              whose turn has begun earlier: it begins when its owner becomes ready, and when its
///              slice is used up
///   Hybrid     those with no level by deadlines, then those with one by levels
struct Ordering {
  enum class Kind { Ranks, Deadlines, Levels, Hybrid };
  static constexpr int kNoLevel = -1;

  Kind kind = Kind::Ranks;
  Ticks slice = 0;
  std::vector<int> level;  ///< of each server

  bool takes_turns(std::size_t server) const {
    return kind == Kind::Levels || (kind == Kind::Hybrid && level[server] != kNoLevel);
  }
};

/// The trace of the set, in normal form. `defect` makes the model wrong on purpose.
/// Throws std::logic_error when the refill list's invariants break.
Trace simulate_slowly(const TaskSet& set, Defect defect = Defect::None);
Trace simulate_slowly(const TaskSet& set, const Ordering& ordering);

}  // namespace hocket::test
