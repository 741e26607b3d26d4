// The contract suite's board on AArch64.
#pragma once

#include "board.h"
#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"
#include "measured_port.h"

namespace hocket::contract {

struct Board {
  using Port = MeasuredPort;
  static constexpr unsigned kLoad = 256;         // virtual CPUs that the costs are declared for
  static constexpr unsigned kSlots = kLoad + 4;  // …and ceilings, and the tester
  static constexpr unsigned kSlowness = 1;
  static constexpr unsigned kMostThreads = 6;  // of a test
  static constexpr unsigned kPause = 160;
  static constexpr size_t kTestStack = 16 * 1024;
  static constexpr Port::Ticks kMinimumBudget = 2 * machine::Board::kCosts.longest_masked;

  static constexpr Port::Line kTestLines[] = {96, 97};  // no device of the machine has them
  static void raise(Port::Line line) { Port::Controller::set_pending(line); }

  struct Config {
    static constexpr unsigned kMaxAlarms = 4;
    static constexpr KernelOptions kOptions;
    using Trace = NoTrace;
    template <class Observer>
    using Policy = VcpuPolicy<Port::Ticks, kSlots, 16, Observer, PortCharges<Port>>;
  };
  using System = Kernel<Port, Config>;
};

/// Threads in different protection domains.
void run_domain_tests();
/// The costs that the board declares, against what is measured with kLoad virtual CPUs on core 0.
void run_cost_tests();

}  // namespace hocket::contract
