// The Uno as the admission test sees it (arduino/runtime/admit.cpp), on the computer: its costs and
// its tick. Nothing is run on this kernel.
#pragma once

#include "boards/uno/costs.h"
#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"
#include "ports/template/port.h"

namespace hocket {

struct Board {
  struct Port : template_port::Port {
    static constexpr uint32_t kTickHz = uno::kTickHz;
    static constexpr port::Costs<Ticks> costs() {
      constexpr auto c = uno::kCosts;
      // A timer that somebody else has left set may interrupt once more (Dispatcher::keeps_timer).
      return {c.context_switch, 2 * c.timer_interrupt, c.timer_lateness, c.longest_masked};
    }
  };
  static constexpr unsigned kMaxLoops = uno::kMostLoops;
  static constexpr Port::Ticks kMinimumBudget = uno::kMinimumBudget;
};

struct SystemConfig {
  static constexpr unsigned kRefills = uno::kRefills;
  static constexpr unsigned kMaxAlarms = 1;
  using Trace = NoTrace;
  template <class Observer>
  using Policy = VcpuPolicy<Board::Port::Ticks, uno::kMostLoops + 1, uno::kRefills, Observer>;
};

using System = Kernel<Board::Port, SystemConfig>;

}  // namespace hocket
