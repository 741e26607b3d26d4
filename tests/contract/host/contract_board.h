// The contract suite's board on the host.
#pragma once

#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"
#include "ports/host/port.h"

namespace hocket::contract {

struct Board {
  using Port = host::HostPort;
  static constexpr unsigned kSlowness = 1;
  static constexpr unsigned kPause = 0;
  static constexpr unsigned kSlots = 16;
  static constexpr unsigned kMostThreads = 6;  // of a test
  static constexpr size_t kTestStack = 64 * 1024;
  static constexpr Port::Ticks kMinimumBudget = 20'000;

  struct Config {
    static constexpr unsigned kMaxAlarms = 4;
    using Trace = NoTrace;
    template <class Observer>
    using Policy = VcpuPolicy<Port::Ticks, kSlots, 8, Observer>;
  };
  using System = Kernel<Port, Config>;
};

}  // namespace hocket::contract
