// The contract suite's board on Cortex-M. `board.h` is that of the machine; HOCKET_TICK: on the
// periodic time base, with ticks of 50 us.
#pragma once

#include "board.h"
#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"
#include "kernel/time/periodic_tick.h"
#include "measured_port.h"

namespace hocket::contract {

struct Board {
#ifdef HOCKET_TICK
  using Port = PeriodicTick<MeasuredPort, TickOf<MeasuredPort::kTickHz / 20'000>>;
#else
  using Port = MeasuredPort;
#endif
  static constexpr unsigned kSlowness = HOCKET_SLOWNESS;
  static constexpr unsigned kPause = 0;
  static constexpr unsigned kSlots = 8;
  static constexpr unsigned kMostThreads = 3;  // of a test
  static constexpr size_t kTestStack = 640;
  static constexpr Port::Ticks kMinimumBudget = 2 * machine::Board::kCosts.longest_masked;

  static constexpr Port::Line kTestLines[] = {22, 23};
  static void raise(Port::Line line) { drivers::Nvic::set_pending(line); }

  struct Config {
    static constexpr unsigned kMaxAlarms = 4;
    static constexpr KernelOptions kOptions;
    using Trace = NoTrace;
    template <class Observer>
    using Policy = VcpuPolicy<Port::Ticks, kSlots, 8, Observer, PortCharges<Port>>;
  };
  using System = Kernel<Port, Config>;
};

/// What the port's smallest stack and the board's stack for handlers must hold (stacks.cpp).
void run_stack_tests();

}  // namespace hocket::contract
