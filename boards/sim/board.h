// The board `sim`: which port, pins and stacks it has, and where the kernel's events go. Without
// the kernel's templates, so that the simulated hardware is not compiled again after each change of
// them.
#pragma once

#include "board_pins.h"
#include "ports/host/port.h"

namespace hocket {

struct Event;

namespace runtime {
struct Program;
}

/// Hands the kernel's events to the event log (event_log.cpp); does nothing when none was asked
/// for.
struct EventLog {
  static constexpr bool kAsksFirst = false;
  static void record(const Event& event);
};

/// The host as a processor, with what the kernel of this program costs on it (costs.h).
struct SimPort : host::HostPort {
  static port::Costs<Ticks> costs() { return costs_; }
  /// Before anything is admitted.
  static void declare(const port::Costs<Ticks>& costs) { costs_ = costs; }

 private:
  static inline port::Costs<Ticks> costs_;
};

/// The board's choices.
struct Board {
  using Port = SimPort;
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

}  // namespace hocket
