// Fixed priorities and nothing else: no budgets, no periods, no guarantee.
//
// For comparison: what the kernel costs with the policy that other small kernels have (`hocket
// bench uno-kernel`). Whoever is ready with the lowest slot runs, for as long as it likes.
#pragma once

#include "kernel/sched/unlimited.h"
#include "kernel/sched/vcpu_policy.h"

namespace hocket {

template <class Rep, unsigned kSlots, class Observer = SilentObserver, bool kCeilings = true>
using PriorityPolicy =
    Scheduler<Rep, Unlimited<Rep>, FixedPriority<kSlots>, TimelineFor<Rep, FixedPriority<kSlots>>,
              NoCharges<Rep>, Observer, kCeilings>;

}  // namespace hocket
