// The kernel's scheduler behind the interface the reference model has.
//
// What the adapter does: feeds the works of the set to the scheduling core as wakes and blocks at
// their instants, arms its budget timer `late` ticks late, charges no overhead, and writes down who
// ran and the responses. At one instant the order of events is the one slow_model.h lists under
// "Choices". Server names may be anything; ranks follow deadlines, then declaration.
#pragma once

#include "slow_model.h"
#include "trace.h"

namespace hocket::test {

/// The kernel's trace of the set; pass it through normalize() before returning it.
Trace simulate_kernel(const TaskSet& set);

/// The same with another order (deadline_policy.h, turn_policies.h).
Trace simulate_kernel(const TaskSet& set, const Ordering& ordering);

/// Ranks alone, without budgets (bitmap_policy.h).
Trace simulate_priorities(const TaskSet& set);

}  // namespace hocket::test
