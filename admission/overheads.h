// What admission adds to the contracts on a core: the kernel's costs and the other users of the
// core.
#pragma once

#include "admission/demand.h"
#include "kernel/sched/charges.h"

namespace hocket {

/// What the kernel and the other users of a core add to the demands there, in ticks.
template <class Ticks>
struct Overheads {
  port::Costs<Ticks> costs{};
  Ticks blocking = 0;  // longest lock of a virtual CPU of lower priority (besides the kernel's own)
  Ticks overrun = 0;   // longest that a virtual CPU runs on without budget, as it holds a lock
  bool several_cores = false;  // the others may send interrupts
  bool by_deadline = false;    // deadlines say which entity comes first
  bool idle_time = false;      // some run on in idle time, when their budget is used up
  Ticks once = 0;  // what else may come before anybody, once: of interrupts beyond their distance

  constexpr Ticks activation() const { return activation_cost(costs, several_cores); }
  /// C' of a virtual CPU. That of one for I/O has room for its top halves as well.
  constexpr Ticks enforced(const Demand<Ticks>& demand) const {
    return enforced_budget(demand.budget, activation()) + demand.top_half;
  }
  constexpr Ticks enforcement() const { return enforcement_overrun(costs, several_cores); }
};

}  // namespace hocket
