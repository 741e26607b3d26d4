// The kernel's scheduler behind the interface the reference model has.
//
// What the adapter does: feeds the works of the set to the scheduling core as wakes and blocks at
// their instants, arms its budget timer `late` ticks late, charges no overhead, and writes down who
// ran and the responses. At one instant the order of events is the one slow_model.h lists under
// "Choices". Server names may be anything; ranks follow deadlines, then declaration.
#pragma once

#include "trace.h"

namespace hocket::test {

/// The kernel's trace of the set; pass it through normalize() before returning it.
Trace simulate_kernel(const TaskSet& set);

}  // namespace hocket::test
