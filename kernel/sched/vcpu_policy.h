// The default policy: rate-monotonic virtual CPUs, each a sporadic server with budget C and period
// T.
//
// Sources: Danish, Li, West, RTAS 2011 (Main VCPUs, foreground and background); sporadic_server.h.
// On a linear clock the timeline is a tournament of up to thousands of slots, or a priority search
// tree if the order has keys. On the circular clock of a small processor it is a list of few
// instants, or of up to 128 (many_instants.h).
//
// VcpuWithIoPolicy adds I/O virtual CPUs (pibs_server.h), which serve interrupts. It is a separate
// type, so that a sketch without interrupts pays no byte and no instruction for it.
#pragma once

#include "kernel/base/few_instants.h"
#include "kernel/base/many_instants.h"
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
  using Type =
      ChosenType<(Order::kSlots <= 16), FewInstants<BasicInstant<Rep>, Order::kSlots, kAsks>,
                 ManyInstants<BasicInstant<Rep>, Order::kSlots>>;
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

/// For a small system: no lock has a ceiling, and no entity runs only in idle time.
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
