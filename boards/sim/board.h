// The board `sim`: its port, pins and stacks, and the destination of the kernel's events. Does not
// include the kernel's templates, so that the simulated hardware is not recompiled when they
// change.
#pragma once

#include "board_pins.h"
#include "ports/host/port.h"

namespace hocket {

struct Event;

namespace runtime {
struct Program;
}

/// Passes the kernel's events to the event log (event_log.cpp). Does nothing if none was requested.
struct EventLog {
  static constexpr bool kAsksFirst = false;
  static void record(const Event& event);
};

/// The host as a processor, with the costs of this program's kernel on it (costs.h).
struct SimPort : host::HostPort {
  static port::Costs<Ticks> costs() { return costs_; }
  /// Call before anything is admitted.
  static void declare(const port::Costs<Ticks>& costs) { costs_ = costs; }

 private:
  static inline port::Costs<Ticks> costs_;
};

/// The board's parameters.
struct Board {
  using Port = SimPort;
  using Pins = SimPins;
  static constexpr unsigned kMaxLoops = 256;
  static constexpr size_t kDefaultStack = 256 * 1024;  // the host's printf alone needs a large part
                                                       // of it
  static constexpr Port::Ticks kLongestSpin = 50'000;  // ns; the longest time that a loop may hold
                                                       // a spinlock

  /// Allocates a stack with a guard page below it. Null when memory is exhausted.
  static port::Stack allocate_stack(runtime::Program& program, size_t bytes);
  /// On this board the kernel is not protected from a sketch.
  static Port::Domain domain_of(const runtime::Program&) { return {}; }
  /// The kernel's stack of a thread is the loop's stack.
  static port::Stack thread_stack(const port::Stack& stack, uint16_t) { return stack; }
  /// An instant on the sketch's clock. An instant beyond the kernel's range means never.
  static BasicInstant<Port::Ticks> instant(uint64_t ns) {
    using Instant = BasicInstant<Port::Ticks>;
    return ns > INT64_MAX ? Instant::never() : Instant(static_cast<Port::Ticks>(ns));
  }
  /// Called when core 0 is about to run its first thread.
  static void started() {}
};

}  // namespace hocket
