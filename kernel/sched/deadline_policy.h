// Virtual CPUs by earliest deadline first: the servers of vcpu_policy.h in the order of their
// deadlines.
#pragma once

#include "kernel/sched/deadline_order.h"
#include "kernel/sched/vcpu_policy.h"

namespace hocket {

/// `kMaySplit`: virtual CPUs may have one part on each of two cores (two_parts.h).
template <class Rep, class Server, unsigned kSlots, class Observer, class Charges, bool kMaySplit>
using ByDeadline =
    FullPolicy<Rep, Server, DeadlineOrder<Rep, kSlots, kMaySplit>, Observer, Charges>;

template <class Rep, unsigned kSlots, unsigned kRefills, class Observer = SilentObserver,
          class Charges = NoCharges<Rep>, bool kMaySplit = false>
using DeadlinePolicy =
    ByDeadline<Rep, SporadicServer<Rep, kRefills>, kSlots, Observer, Charges, kMaySplit>;

/// DeadlinePolicy with I/O virtual CPUs besides the main ones.
template <class Rep, unsigned kSlots, unsigned kRefills, class Observer = SilentObserver,
          class Charges = NoCharges<Rep>, bool kMaySplit = false>
using DeadlineWithIoPolicy =
    ByDeadline<Rep, SporadicOrPibs<Rep, kRefills>, kSlots, Observer, Charges, kMaySplit>;

template <class Rep, unsigned kSlots, unsigned kRefills, class Observer = SilentObserver,
          class Charges = NoCharges<Rep>>
using PlainDeadlinePolicy =
    PlainPolicy<Rep, SporadicServer<Rep, kRefills>,
                DeadlineOrder<Rep, kSlots, /*kMaySplit=*/false, /*kCeilings=*/false>, Observer,
                Charges>;

}  // namespace hocket
