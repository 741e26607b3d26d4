// The kernel as the board `sim` has it: which port, how many of everything, where events go.
#pragma once

#include "arduino/runtime/policy_choice.h"
#include "board_pins.h"
#include "kernel/task/kernel.h"
#include "ports/host/port.h"

namespace hocket {

namespace runtime {
struct Program;
}

/// Hands the kernel's events to the event log (event_log.cpp); does nothing when none was asked
/// for.
struct EventLog {
  static constexpr bool kAsksFirst = false;
  static void record(const Event& event);
};

/// The board's choices.
struct Board {
  using Port = host::HostPort;
  using Pins = SimPins;
  static constexpr unsigned kMaxLoops = 256;
  static constexpr size_t kDefaultStack = 256 * 1024;  // the host's printf alone takes a good part
  static constexpr Port::Ticks kLongestSpin = 50'000;  // longest a loop may hold a spinlock
  static constexpr const char* kName = "sim";

  /// Memory for a stack with a guard page below it. Null when there is none.
  static port::Stack allocate_stack(runtime::Program& program, size_t bytes);
  /// A sketch is not protected from the kernel here.
  static Port::Domain domain_of(const runtime::Program&) { return {}; }
  /// The stack that a thread of the kernel has for a loop with this one: the same.
  static port::Stack thread_stack(const port::Stack& stack, uint16_t) { return stack; }
  /// An instant on the sketch's clock; beyond what the kernel can count it never comes.
  static BasicInstant<Port::Ticks> instant(uint64_t ns) {
    using Instant = BasicInstant<Port::Ticks>;
    return ns > INT64_MAX ? Instant::never() : Instant(static_cast<Port::Ticks>(ns));
  }
  /// Core 0 is about to run its first thread.
  static void started() {}
};

struct SystemConfig {
  static constexpr unsigned kMaxSlots = Board::kMaxLoops + 2;  // spinlocks, the loops, setup()
  static constexpr unsigned kRefills = 16;
  static constexpr unsigned kMaxAlarms = 16;
  static constexpr KernelOptions kOptions;
  using Trace = EventLog;
  // For tests: a kernel that charges nobody for what it does, in hocket_sim_system_uncharged.
#ifdef HOCKET_UNCHARGED
  using Charges = NoCharges<Board::Port::Ticks>;
#else
  using Charges = PortCharges<Board::Port>;
#endif
  template <class Observer>
  using Policy =
      runtime::ChosenPolicy::WithIo<Board::Port::Ticks, kMaxSlots, kRefills, Observer, Charges>;
};

using System = Kernel<Board::Port, SystemConfig>;

}  // namespace hocket
