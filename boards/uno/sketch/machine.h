// The Arduino Uno as the port sees it, and the kernel as its sketches have it.
#pragma once

#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"
#include "ports/avr8/port.h"

/// The system cannot go on: masked, asleep, for good. `hocket run` says why.
extern "C" [[noreturn]] void hocket_stop();

namespace hocket::uno {

struct Machine {
  static constexpr uint32_t kCyclesPerSecond = F_CPU;
  static constexpr unsigned kPrescaler = 8;
  // In ticks of 0.5 us; tests/contract/avr8 measures them.
  static constexpr port::Costs<int32_t> kCosts = {.context_switch = 120,
                                                  .timer_interrupt = 300,
                                                  .timer_lateness = 20,
                                                  .longest_masked = 600};
  /// The text would be in RAM: what was wrong is told by the simulator, which sees all.
  [[noreturn]] static inline void halt(const char*) { hocket_stop(); }
};
using Port = avr8::Avr8Port<Machine>;

struct Config {
  static constexpr unsigned kMaxAlarms = 0;
  static constexpr bool kStatistics = false;
  static constexpr unsigned kSlots = 8;  // spinlocks, and loops
  static constexpr unsigned kRefills = 3;
  using Trace = NoTrace;
  template <class Observer>
  using Policy = VcpuPolicy<Port::Ticks, kSlots, kRefills, Observer>;
};
using System = Kernel<Port, Config>;

inline constexpr unsigned kMostLoops = Config::kSlots - 1;
inline constexpr Port::Ticks kMinimumBudget = 2 * Machine::kCosts.longest_masked;

}  // namespace hocket::uno
