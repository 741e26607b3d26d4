// Interrupt lines on AArch64 (ports/contract/lines.h): the table of handlers in front of the
// interrupt controller.
//
// One table serves both levels: an interrupt enters at the level to which it is routed. Real-time
// interrupts are acknowledged and ended before their handler, ordinary ones are ended after it
// (interrupts.h). Handlers need not know.
#pragma once

#include "drivers/interrupt_controller.h"

namespace hocket::aarch64 {

template <class Controller>
struct Lines {
  static_assert(drivers::InterruptController<Controller>);
  using Line = typename Controller::Id;

  struct Attached {
    port::LineHandler handler;
    void* argument;
  };
  static_assert(sizeof(Attached) == 16 &&
                __builtin_offsetof(Attached, argument) == 8);  // vectors.S
  /// By interrupt number. No handler is null. Written before the interrupt is enabled.
  static inline Attached attached[Controller::kIds];

  /// For interrupts without a handler: spurious, or enabled by mistake.
  static void ignore(void*) {}

  /// Once, before the controller delivers anything.
  [[gnu::cold]] static void clear() {
    for (Attached& line : attached) line = {&ignore, nullptr};
  }

  [[gnu::cold]] static bool attach(Line line, port::LineHandler handler, void* argument,
                                   port::LineUse use) {
    if (!Controller::disable(line) || !Controller::set_trigger(line, use.trigger)) return false;
    if (!Controller::route(line, use.level, use.core)) return false;
    attached[line] = {handler, argument};
    Controller::clear_pending(line);
    return true;
  }
};

}  // namespace hocket::aarch64
