// What a budget pays for besides its owner's work. Admission and the scheduler use the same
// functions, so the analysis counts what the kernel enforces (docs/decisions/who-pays.md).
//
// All values are in ticks. The functions are pure and may be called anywhere, also at compile time.
#pragma once

#include "ports/contract/port.h"

namespace hocket {

/// w: the most that one activation and the end that belongs to it can cost. The activated entity
/// pays for the interrupt and for the switch to it. The entity that stops pays for the switch to
/// the next one, and for the interrupt at its limit. With several cores, an inter-processor
/// interrupt is added.
template <class Ticks>
constexpr Ticks activation_cost(const port::Costs<Ticks>& costs, bool several_cores) {
  return 2 * (costs.interrupt_entry + costs.context_switch) +
         (several_cores ? costs.timer_interrupt : 0);
}

/// C': the budget that is enforced. It includes the cost of one activation per period, so that the
/// first activation is free.
template <class Ticks>
constexpr Ticks enforced_budget(Ticks budget, Ticks activation_cost) {
  return budget + activation_cost;
}

/// The most by which a server can exceed its budget, once. The interrupt at the limit may be late,
/// and may be delayed by a masked section. With several cores, a wake-up from another core is paid
/// out of a budget whose time has not come.
template <class Ticks>
constexpr Ticks enforcement_overrun(const port::Costs<Ticks>& costs, bool several_cores) {
  return costs.timer_lateness + costs.longest_masked + (several_cores ? costs.timer_interrupt : 0);
}

/// The smallest budget that is accepted. A smaller one could lose every second refill to the
/// overrun of a late limit.
template <class Ticks>
constexpr Ticks smallest_budget(const port::Costs<Ticks>& costs) {
  return costs.timer_lateness + costs.longest_masked;
}

/// Rule 7: consumption is recorded as a refill in pieces of at least period / this number, so that
/// the list of refills does not fill up. The delay loses at most the same fraction of C. Small
/// processors have short lists and therefore fewer pieces.
inline constexpr unsigned kPiecesPerPeriod = 256;
inline constexpr unsigned kPiecesOnSmallProcessor = 32;

}  // namespace hocket
