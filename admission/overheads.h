// What admission adds to the contracts on a core: the costs of the kernel and of the other users of
// the core. In ticks.
#pragma once

#include "admission/demand.h"
#include "kernel/sched/charges.h"

namespace hocket {

/// The additional demands on a core, in ticks.
template <class Ticks>
struct Overheads {
  port::Costs<Ticks> costs{};
  Ticks blocking = 0;          // longest lock of a lower priority, besides the kernel's own
  Ticks overrun = 0;           // longest time that a lock holder runs on without budget
  bool several_cores = false;  // other cores may send interrupts
  bool by_deadline = false;    // deadlines say which entity comes first
  bool idle_time = false;      // some entities run on in idle time after their budget
  Ticks once = 0;  // delays every entity once: interrupts beyond their declared distance

  constexpr Ticks activation() const { return activation_cost(costs, several_cores); }
  /// C' of a virtual CPU. For an I/O virtual CPU it includes its top halves.
  constexpr Ticks enforced(const Demand<Ticks>& demand) const {
    return enforced_budget(demand.budget, activation()) + demand.top_half;
  }
  constexpr Ticks enforcement() const { return enforcement_overrun(costs, several_cores); }
};

}  // namespace hocket
