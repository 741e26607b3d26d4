// Policies without a guarantee, for comparison: a multi-level queue, one thread per priority, and a
// lottery (those of eCos); and earliest deadline first with a multi-level queue in the remaining
// time.
#pragma once

#include "kernel/sched/deadline_policy.h"
#include "policies/bitmap_policy.h"
#include "policies/hybrid_order.h"
#include "policies/lottery_order.h"
#include "policies/time_slice.h"

namespace hocket {

template <class Rep, unsigned kSlots, class Observer = SilentObserver,
          class Charges = NoCharges<Rep>>
using LevelPolicy = FullPolicy<Rep, TimeSlice<Rep>, LevelOrder<Rep, kSlots>, Observer, Charges>;

template <class Rep, unsigned kSlots, class Observer = SilentObserver,
          class Charges = NoCharges<Rep>>
using LotteryPolicy = FullPolicy<Rep, TimeSlice<Rep>, LotteryOrder<kSlots>, Observer, Charges>;

template <class Rep, class Server, unsigned kSlots, class Observer, class Charges>
using DeadlinesAndTurns = FullPolicy<Rep, Server, HybridOrder<Rep, kSlots>, Observer, Charges>;

template <class Rep, unsigned kSlots, unsigned kRefills, class Observer = SilentObserver,
          class Charges = NoCharges<Rep>>
using HybridPolicy =
    DeadlinesAndTurns<Rep, SporadicServer<Rep, kRefills>, kSlots, Observer, Charges>;

template <class Rep, unsigned kSlots, unsigned kRefills, class Observer = SilentObserver,
          class Charges = NoCharges<Rep>>
using HybridWithIoPolicy =
    DeadlinesAndTurns<Rep, SporadicOrPibs<Rep, kRefills>, kSlots, Observer, Charges>;

// --- For a small system (vcpu_policy.h) ---

template <class Rep, unsigned kSlots, unsigned kRefills, class Observer = SilentObserver,
          class Charges = NoCharges<Rep>>
using PlainHybridPolicy =
    PlainPolicy<Rep, SporadicServer<Rep, kRefills>, HybridOrder<Rep, kSlots, /*kCeilings=*/false>,
                Observer, Charges>;

template <class Rep, unsigned kSlots, class Observer = SilentObserver,
          class Charges = NoCharges<Rep>>
using PlainLevelPolicy =
    PlainPolicy<Rep, TimeSlice<Rep>, LevelOrder<Rep, kSlots, /*kCeilings=*/false>, Observer,
                Charges>;

template <class Rep, unsigned kSlots, class Observer = SilentObserver>
using PlainBitmapPolicy =
    PlainPolicy<Rep, Unlimited<Rep>, PriorityOrder<kSlots, false>, Observer, NoCharges<Rep>>;

template <class Rep, unsigned kSlots, class Observer = SilentObserver,
          class Charges = NoCharges<Rep>>
using PlainLotteryPolicy =
    PlainPolicy<Rep, TimeSlice<Rep>, LotteryOrder<kSlots, /*kCeilings=*/false>, Observer, Charges>;

}  // namespace hocket
