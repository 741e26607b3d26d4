// The contract suite's board on AArch64.
#pragma once

#include "board.h"
#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"
#include "ports/aarch64/port.h"

namespace hocket::contract {

struct Board {
  using Port = aarch64::Aarch64Port<machine::Board>;
  static constexpr unsigned kSlots = 16;
  static constexpr size_t kTestStack = 16 * 1024;
  static constexpr Port::Ticks kMinimumBudget = 2 * machine::Board::kCosts.longest_masked;

  struct Config {
    static constexpr unsigned kMaxAlarms = 4;
    using Trace = NoTrace;
    template <class Observer>
    using Policy = VcpuPolicy<Port::Ticks, kSlots, 8, Observer>;
  };
  using System = Kernel<Port, Config>;
};

}  // namespace hocket::contract
