// The kernel as the AArch64 boards have it: which port, how many of everything, where events go.
#pragma once

#include "board.h"
#include "boards/aarch64/sketch/ticks.h"
#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"
#include "ports/aarch64/port.h"

namespace hocket {

/// Hands the kernel's events to the world (event_log.cpp); does nothing when nobody wants them.
struct EventLog {
  static void record(const Event& event) {
    if (wanted) [[unlikely]]
      keep(event);
  }
  static void keep(const Event& event);
  /// Sends what is kept. Nothing runs any more.
  static void flush();
  inline static bool wanted = false;
};

struct Board {
  using Port = aarch64::Aarch64Port<machine::Board>;
  static constexpr unsigned kMaxLoops = 256;
  static constexpr size_t kDefaultStack = 64 * 1024;  // of the sketch
  static constexpr size_t kKernelStack = 8 * 1024;    // of each thread, for calls and interrupts
  static constexpr const char* kName = machine::Board::kName;
  static constexpr uint64_t kTickHz = Port::kTickHz;

  static constexpr Port::Ticks ticks(uint64_t ns) {
    return static_cast<Port::Ticks>(sketch::ticks_of<kTickHz>(ns));
  }
  static constexpr uint64_t nanoseconds(Port::Ticks ticks) {
    return sketch::nanoseconds_of<kTickHz>(static_cast<uint64_t>(ticks));
  }
  /// An instant on the sketch's clock; beyond what the kernel can count it never comes.
  static constexpr BasicInstant<Port::Ticks> instant(uint64_t ns) {
    using Instant = BasicInstant<Port::Ticks>;
    return ns > INT64_MAX ? Instant::never() : Instant(ticks(ns));
  }

  /// Twice the longest masked section: less is not worth a dispatch.
  static constexpr Port::Ticks kMinimumBudget = 2 * machine::Board::kCosts.longest_masked;
  /// Longest that a loop may hold a spinlock.
  static constexpr auto kLongestSpin = static_cast<Port::Ticks>(sketch::ticks_of<kTickHz>(50'000));

  /// Memory for a stack of the sketch, mapped for it with guards around. Null when there is none.
  static port::Stack allocate_stack(size_t bytes);
  /// The kernel's stack of the thread whose sketch stack this is. Halts when there is no memory.
  static port::Stack thread_stack(const port::Stack& stack, uint16_t thread);
  /// Core 0 is about to run its first thread.
  static void started();
};

struct SystemConfig {
  static constexpr unsigned kMaxSlots = Board::kMaxLoops + 2;  // spinlocks, the loops, setup()
  static constexpr unsigned kRefills = 8;
  static constexpr unsigned kMaxAlarms = 16;
  using Trace = EventLog;
  template <class Observer>
  using Policy = VcpuPolicy<Board::Port::Ticks, kMaxSlots, kRefills, Observer>;
};

using System = Kernel<Board::Port, SystemConfig>;

}  // namespace hocket
