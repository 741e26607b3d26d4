// What the kernel's own time costs, as worst cases that a port declares
// (docs/decisions/who-pays.md).
#pragma once

#include "task_set.h"

namespace hocket::test {

struct Costs {
  Ticks entry = 0;  ///< E: from the interrupted code's last instruction to the reading of the clock
  Ticks change = 0;     ///< S: from a reading of the clock to the next thread's first instruction
  Ticks interrupt = 0;  ///< I: an interrupt that switches nothing, vector to return
  Ticks lateness = 0;   ///< L: how late an interrupt may begin when nothing is masked
  Ticks masked = 0;     ///< M: longest section of the kernel with interrupts masked
  bool several_cores = false;

  /// What the end of a budget costs, and what the limit is early by.
  Ticks end() const { return entry + change; }
  /// w: one activation and one end.
  Ticks wake() const { return 2 * end(); }
  /// What a period's first activation adds to the budget: C' = C + allowance().
  Ticks allowance() const { return wake() + (several_cores ? interrupt : 0); }
  /// How far a timer may let a server run beyond its limit.
  Ticks overrun() const { return lateness + masked; }

  bool operator==(const Costs&) const = default;
};

}  // namespace hocket::test
