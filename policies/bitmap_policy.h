// Fixed priorities and nothing else: no budgets, no periods, no guarantee.
//
// For comparison: what the kernel costs with the policy that other small kernels have (`hocket
// bench uno-kernel`). Whoever is ready with the lowest slot runs, for as long as it likes.
#pragma once

#include "kernel/sched/vcpu_policy.h"
#include "policies/unlimited.h"

namespace hocket {

template <class Rep, unsigned kSlots, class Observer = SilentObserver, bool kCeilings = true>
using BitmapPolicy =
    Scheduler<Rep, Unlimited<Rep>, PriorityOrder<kSlots>, TimelineFor<Rep, PriorityOrder<kSlots>>,
              NoCharges<Rep>, Observer, kCeilings>;

}  // namespace hocket
