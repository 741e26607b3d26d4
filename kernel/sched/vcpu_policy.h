// The default policy: rate-monotonic virtual CPUs, each a sporadic server with budget C and period
// T.
//
// Sources: Danish, Li, West, RTAS 2011 (Main VCPUs, foreground and background); sporadic_server.h.
// On a linear clock the timeline is a tournament of up to thousands of slots, or a priority search
// tree where the order has keys; on a circular one, of a small processor, a list of few instants.
//
// VcpuWithIoPolicy has I/O virtual CPUs beside them (pibs_server.h), for those who serve
// interrupts. It is another type, so that a sketch without interrupts has no byte and no
// instruction of it.
#pragma once

#include "kernel/base/few_instants.h"
#include "kernel/base/priority_search_tree.h"
#include "kernel/base/tournament.h"
#include "kernel/sched/pibs_server.h"
#include "kernel/sched/priority_order.h"
#include "kernel/sched/scheduler.h"
#include "kernel/sched/sporadic_server.h"

namespace hocket {

namespace detail {
template <class Rep, class Order, bool kAsks>
struct ChosenTimeline {
  using Type = Tournament<BasicInstant<Rep>, Order::kSlots>;
};
template <class Rep, class Order, bool kAsks>
  requires kCircularTime<Rep>
struct ChosenTimeline<Rep, Order, kAsks> {
  using Type = FewInstants<BasicInstant<Rep>, Order::kSlots, kAsks>;
};
template <class Rep, class Order, bool kAsks>
  requires(!kCircularTime<Rep>) && Order::kByKey
struct ChosenTimeline<Rep, Order, kAsks> {
  using Type = PrioritySearchTree<typename Order::Key, BasicInstant<Rep>, Order::kSlots>;
};
}  // namespace detail
template <class Rep, class Order, bool kAsks = false>
using TimelineFor = typename detail::ChosenTimeline<Rep, Order, kAsks>::Type;

template <class Rep, class Server, class Order, class Observer, class Charges>
using FullPolicy = Scheduler<Rep, Server, Order, TimelineFor<Rep, Order>, Charges, Observer>;

template <class Rep, unsigned kSlots, unsigned kRefills, class Observer = SilentObserver,
          class Charges = NoCharges<Rep>>
using VcpuPolicy =
    FullPolicy<Rep, SporadicServer<Rep, kRefills>, PriorityOrder<kSlots>, Observer, Charges>;

/// For a small system, in which no lock has a ceiling and nobody runs in idle time only.
template <class Rep, class Server, class Order, class Observer, class Charges>
using PlainPolicy = Scheduler<Rep, Server, Order, TimelineFor<Rep, Order, /*kAsks=*/true>, Charges,
                              Observer, /*kCeilings=*/false, /*kBestEffort=*/false>;

template <class Rep, unsigned kSlots, unsigned kRefills, class Observer = SilentObserver,
          class Charges = NoCharges<Rep>>
using PlainVcpuPolicy = PlainPolicy<Rep, SporadicServer<Rep, kRefills>,
                                    PriorityOrder<kSlots, /*kCeilings=*/false>, Observer, Charges>;

template <class Rep, unsigned kSlots, unsigned kRefills, class Observer = SilentObserver,
          class Charges = NoCharges<Rep>>
using VcpuWithIoPolicy =
    FullPolicy<Rep, SporadicOrPibs<Rep, kRefills>, PriorityOrder<kSlots>, Observer, Charges>;

}  // namespace hocket
