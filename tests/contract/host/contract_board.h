// The contract suite's board on the host. HOCKET_TICK: on the periodic time base, with ticks of 10
// us and all spans five times as long.
#pragma once

#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"
#include "kernel/time/periodic_tick.h"
#include "ports/host/port.h"

namespace hocket::contract {

struct Board {
#ifdef HOCKET_TICK
  using Port = PeriodicTick<host::HostPort, TickOf<10'000>>;
  static constexpr unsigned kSlowness = 5;
#else
  using Port = host::HostPort;
  static constexpr unsigned kSlowness = 1;
#endif
  static constexpr unsigned kPause = 0;
  static constexpr unsigned kSlots = 16;
  static constexpr unsigned kMostThreads = 6;  // of a test
  static constexpr size_t kTestStack = 64 * 1024;
  static constexpr Port::Ticks kMinimumBudget = 20'000;

  static constexpr Port::Line kTestLines[] = {3, 40};
  /// A pulse of a device, in one access.
  static void raise(Port::Line line) {
    auto& machine = host::Machine::instance();
    const host::Nanos at = machine.access_device();
    machine.set_line(line, true, at);
    machine.set_line(line, false, at);
  }

  struct Config {
    static constexpr unsigned kMaxAlarms = 4;
    static constexpr KernelOptions kOptions;
    using Trace = NoTrace;
    template <class Observer>
    using Policy = VcpuPolicy<Port::Ticks, kSlots, 16, Observer, PortCharges<Port>>;
  };
  using System = Kernel<Port, Config>;
};

}  // namespace hocket::contract
