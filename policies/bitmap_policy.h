// Fixed priorities and nothing else: no budgets, no periods, no guarantee.
//
// For comparison: measures the kernel with the policy of other small kernels (`hocket bench
// uno-kernel`). The ready entity with the lowest slot runs, without a time limit.
#pragma once

#include "kernel/sched/vcpu_policy.h"
#include "policies/unlimited.h"

namespace hocket {

template <class Rep, unsigned kSlots, class Observer = SilentObserver>
using BitmapPolicy =
    FullPolicy<Rep, Unlimited<Rep>, PriorityOrder<kSlots>, Observer, NoCharges<Rep>>;

}  // namespace hocket
