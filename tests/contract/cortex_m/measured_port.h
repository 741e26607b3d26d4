// The port with a clock on every section in which interrupts are masked.
//
// A section begins where the kernel masks what was not masked (or an interrupt's door opens) and
// ends where that is taken back, whatever threads were switched between. A switch out of a thread
// ends one, too, and begins the next: it lets interrupts in (ports/cortex_m/port.h). What a handler
// does before and after the door is not seen: at most kVectors ticks.
#pragma once

#include "board.h"
#include "ports/cortex_m/port.h"

namespace hocket::contract {

struct MeasuredPort : cortex_m::CortexMPort<machine::Board> {
  using Base = cortex_m::CortexMPort<machine::Board>;
  static constexpr Ticks kVectors = 60;

  static IrqState irq_save() {
    const IrqState state = Base::irq_save();
    if (state == 0) begins();
    return state;
  }
  static void irq_restore(IrqState state) {
    if (state == 0) ends();
    Base::irq_restore(state);
  }
  static void irq_enable() {
    ends();
    Base::irq_enable();
  }
  static void idle_wait() {  // an interrupt that it waits for is not delayed
    ends();
    Base::idle_wait();
  }
  static void context_switch(Context& from, const Context& to) {
    if (in_irq()) return Base::context_switch(from, to);
    ends();
    Base::context_switch(from, to);
    begins();
  }

  static void begins() { since_ = Base::now_masked(); }
  static void ends() {
    if (since_ == 0) return;
    longest = larger(longest, Base::now_masked() - since_);
    since_ = 0;
  }

  inline static Ticks longest = 0;

 private:
  inline static Ticks since_ = 0;  // 0: not masked
};

}  // namespace hocket::contract
