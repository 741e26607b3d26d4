// A board for sketches beside each other: the simulated machine with room for the setup() of two.
#pragma once

#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"
#include "ports/host/port.h"

namespace hocket {

namespace runtime {
struct Program;
}

struct Board {
  using Port = host::HostPort;
  static constexpr unsigned kMaxLoops = 8;
  static constexpr size_t kDefaultStack = 64 * 1024;
  static constexpr Port::Ticks kLongestSpin = 50'000;
  static constexpr const char* kName = "two sketches";

  static port::Stack allocate_stack(runtime::Program&, size_t bytes);
  static Port::Domain domain_of(const runtime::Program&) { return {}; }
  static port::Stack thread_stack(const port::Stack& stack, uint16_t) { return stack; }
  static BasicInstant<Port::Ticks> instant(uint64_t ns) {
    return BasicInstant<Port::Ticks>(static_cast<Port::Ticks>(ns));
  }
  static void started() {}
};

struct SystemConfig {
  static constexpr unsigned kMaxSlots = Board::kMaxLoops + 3;  // spinlocks, the loops, two setup()
  static constexpr unsigned kRefills = 8;
  static constexpr unsigned kMaxAlarms = 4;
  static constexpr KernelOptions kOptions;
  using Trace = NoTrace;
  template <class Observer>
  using Policy =
      VcpuPolicy<Board::Port::Ticks, kMaxSlots, kRefills, Observer, PortCharges<Board::Port>>;
};

using System = Kernel<Board::Port, SystemConfig>;

}  // namespace hocket
