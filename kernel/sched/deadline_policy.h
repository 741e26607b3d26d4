// Virtual CPUs by earliest deadline first: sporadic servers as in vcpu_policy.h, in the order of
// their deadlines, with an analysis of their own.
#pragma once

#include "kernel/sched/deadline_analysis.h"
#include "kernel/sched/deadline_order.h"
#include "kernel/sched/vcpu_policy.h"

namespace hocket {

/// `kMaySplit`: virtual CPUs may have a part on each of two cores (split.h, splitting.h).
template <class Rep, unsigned kSlots, unsigned kRefills, class Observer = SilentObserver,
          class Charges = NoCharges<Rep>, bool kMaySplit = false>
struct DeadlinePolicy
    : Scheduler<Rep, SporadicServer<Rep, kRefills>, DeadlineOrder<Rep, kSlots, kMaySplit>,
                TimelineFor<Rep, kSlots>, Charges, Observer> {
  template <unsigned kCapacity>
  using Analysis = DeadlineAnalysis<Rep, kCapacity>;
};

}  // namespace hocket
