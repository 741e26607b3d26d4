// The port with a clock on every section in which interrupts are masked.
//
// A section begins where the kernel masks what was not masked (or an interrupt's door opens) and
// ends where that is taken back, whatever threads were switched between; so its beginning belongs
// to the core. What the vectors do before and after is not seen: at most kVectors instructions.
#pragma once

#include "board.h"
#include "ports/aarch64/port.h"

namespace hocket::contract {

struct MeasuredPort : aarch64::Aarch64Port<machine::Board> {
  using Base = aarch64::Aarch64Port<machine::Board>;
  using IrqState = Base::IrqState;
  static constexpr Ticks kVectors = 60;  // vectors.S: keep, acknowledge, go back

  static IrqState irq_save() {
    const IrqState state = Base::irq_save();
    if (!masked(state)) begins();
    return state;
  }
  static void irq_restore(IrqState state) {
    if (!masked(state)) ends();
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

  /// For the doors, and what happens between them.
  static void begins() { measure().since = now(); }
  static void ends() {
    Measure& m = measure();
    if (m.since == 0) return;
    m.longest = larger(m.longest, now() - m.since);
    m.since = 0;
  }

  static Ticks longest(CoreId core) { return measures_[core].longest; }
  static void forget() {
    for (Measure& m : measures_) m.longest = 0;
  }

 private:
  struct Measure {
    Ticks since;  // 0: not masked
    Ticks longest;
  };
  static bool masked(IrqState state) { return (state & aarch64::kMaskFiq) != 0; }
  static Measure& measure() { return measures_[core_id()]; }
  inline static Measure measures_[Base::kCores] = {};
};

}  // namespace hocket::contract
