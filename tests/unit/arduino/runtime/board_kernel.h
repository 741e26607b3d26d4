// A board for tests of the runtime: the template port with the Raspberry Pi's clock, which does not
// divide a second. Nothing runs on it; loops are collected and admitted.
#pragma once

#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"
#include "ports/template/port.h"

namespace hocket {

namespace runtime {
struct Program;
}

struct OddClockPort : template_port::Port {
  static constexpr uint32_t kTickHz = 19'200'000;
};

struct Board {
  using Port = OddClockPort;
  static constexpr unsigned kMaxLoops = 8;
  static constexpr size_t kDefaultStack = 512;
  static constexpr Port::Ticks kLongestSpin = 960;
  static constexpr const char* kName = "odd clock";

  static port::Stack allocate_stack(runtime::Program&, size_t) { return {}; }
  static Port::Domain domain_of(const runtime::Program&) { return {}; }
  static port::Stack thread_stack(const port::Stack& stack, uint16_t) { return stack; }
  static BasicInstant<Port::Ticks> instant(uint64_t ns) {
    return BasicInstant<Port::Ticks>(static_cast<Port::Ticks>(ns / 1'000 * 96 / 5));
  }
  static void started() {}
};

struct SystemConfig {
  static constexpr unsigned kMaxSlots = Board::kMaxLoops + 2;
  static constexpr unsigned kRefills = 2;
  static constexpr unsigned kMaxAlarms = 4;
  static constexpr KernelOptions kOptions;
  using Trace = NoTrace;
  template <class Observer>
  using Policy =
      VcpuPolicy<Board::Port::Ticks, kMaxSlots, kRefills, Observer, PortCharges<Board::Port>>;
};

using System = Kernel<Board::Port, SystemConfig>;

}  // namespace hocket
