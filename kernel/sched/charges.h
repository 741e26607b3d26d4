// What a budget pays for besides its owner's work: one account, which admission reckons with and
// the scheduler enforces (docs/decisions/who-pays.md).
#pragma once

#include "ports/contract/port.h"

namespace hocket {

/// w: what an activation and the end that belongs to it cost at most. Whoever is activated pays for
/// the interrupt and for the switch to it, whoever stops for the switch to the next one (and his
/// own limit's interrupt); among several cores there is the interrupt from another one as well.
template <class Ticks>
constexpr Ticks activation_cost(const port::Costs<Ticks>& costs, bool several_cores) {
  return 2 * (costs.interrupt_entry + costs.context_switch) +
         (several_cores ? costs.timer_interrupt : 0);
}

/// C': what is enforced of a budget, so that one activation in every period comes free.
template <class Ticks>
constexpr Ticks enforced_budget(Ticks budget, Ticks activation_cost) {
  return budget + activation_cost;
}

/// By how much a server may be ahead of its budget, once: the limit's interrupt is late, and
/// masked; and another core's interrupt that wakes it is paid out of a budget whose time has not
/// come.
template <class Ticks>
constexpr Ticks enforcement_overrun(const port::Costs<Ticks>& costs, bool several_cores) {
  return costs.timer_lateness + costs.longest_masked + (several_cores ? costs.timer_interrupt : 0);
}

/// Below it a budget could be lost to the overrun of a late limit, every second time.
template <class Ticks>
constexpr Ticks smallest_budget(const port::Costs<Ticks>& costs) {
  return costs.timer_lateness + costs.longest_masked;
}

/// Consumption is put down in pieces of at least one such part of a period (rule 7), so that a list
/// of refills lasts; small processors have short lists. What is lost by it is no larger part of C.
inline constexpr unsigned kPiecesPerPeriod = 256;
inline constexpr unsigned kPiecesOnSmallProcessor = 32;

}  // namespace hocket
