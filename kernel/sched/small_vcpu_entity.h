// A virtual CPU as the policy for small processors sees it (small_vcpu_policy.h).
//
// All state is the policy's; others read it. What a wake-up looks at comes first: short offsets
// make short code.
#pragma once

#include "kernel/base/list.h"
#include "kernel/sched/refills.h"

namespace hocket {

/// What only ceilings, and observers beside them, need of a virtual CPU.
template <class Instant, bool kKept>
struct ReleaseNotes {
  Instant release;     // since when its present head refill could be used (while Ready)
  Instant hold_until;  // while raised
};
template <class Instant>
struct ReleaseNotes<Instant, false> {};

template <class Rep, unsigned kRefills, bool kNotesReleases = true>
struct SmallVcpuEntity : ListNode<SmallVcpuEntity<Rep, kRefills, kNotesReleases>>,
                         ReleaseNotes<BasicInstant<Rep>, kNotesReleases> {
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  enum class State : uint8_t { Blocked, Sleeping, Ready };

  State state = State::Blocked;
  uint8_t rank = 0;          // slot of its own priority
  uint8_t slot = 0;          // slot it is in: its rank, or that of the ceiling it was raised to
  uint16_t flag = 0;         // of that slot, in a set
  bool background = false;   // may use idle time when it has no budget
  bool best_effort = false;  // has no budget at all: runs in idle time only (background, too)
  bool ran_out = false;      // the head it was released with is used up; not yet acted upon
  Duration consumed;         // of its head, when it last stopped in the middle; not yet charged
  RefillList<Rep, kRefills> refills;
  Instant wake_at;  // while Sleeping

  bool raised() const { return slot != rank; }
  bool is_ready() const { return state == State::Ready; }
  /// One test instead of two.
  bool blocked_in_foreground() const {
    static_assert(State::Blocked == State(0));
    return (static_cast<uint8_t>(state) | static_cast<uint8_t>(background)) == 0;
  }
};

}  // namespace hocket
