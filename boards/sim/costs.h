// The kernel's costs on the simulated machine, in nanoseconds, at 20 ns for each basic block
// (ports/host/machine.h). For up to 256 virtual CPUs on a core. Each run measures them, and
// tests/system/test_costs_of_sim.py searches for the worst case.
//
// Found, on one core, by priorities and by deadlines:
//
//   E   an interrupt's entry, 100 ns, and the first blocks of its handler       180       180
//   S   a budget ends: it is put down and joined, its owner waits in the
//       timeline, and one leaves that and runs                                8,340    10,980
//   I   one that was due, and has no budget, goes back to wait                5,720     5,120
//   M   the entry, and the switch behind it                                   8,380    11,160
//
// With deadlines the timeline is a balanced tree; with priorities it is a tournament, which is
// cheaper to change (docs/decisions/earliest-deadline-first.md).
//
// With several cores, an interrupt may find its core's lock taken, because another core wakes a
// loop here. All other cores may do so one after another. That happens before the kernel reads the
// clock, and once more before it switches. The longest such section wakes a loop whose wait has a
// time limit, as the end of noInterrupts() does for all that want a section: 2,500 ns. Another core
// sees a change of the lock up to a lookahead of 1,000 ns later. Measured with priorities and with
// deadlines: on 2 cores E 3,560 and 4,760; on 16 cores E 12,320 and 16,340, S 11,500 and 14,860; on
// 64 cores E 49,880 and 69,440, S 35,720 and 62,860, M 81,580 and 128,520.
#pragma once

#include <stdint.h>

#include "ports/contract/port.h"

namespace hocket::sim {

struct CostsOfPolicy {
  port::Costs<int64_t> alone;  // on one core
  int64_t first_wait;          // waiting for the lock, with one other core
  int64_t entry_wait;          // for each further core
  int64_t switch_wait;         // before the switch, for each other core
};
inline constexpr CostsOfPolicy kByPriorityCosts = {.alone = {.interrupt_entry = 250,
                                                             .context_switch = 9'000,
                                                             .timer_interrupt = 7'000,
                                                             .timer_lateness = 1'000,
                                                             .longest_masked = 10'000},
                                                   .first_wait = 4'000,
                                                   .entry_wait = 1'000,
                                                   .switch_wait = 600};
inline constexpr CostsOfPolicy kByDeadlineCosts = {.alone = {.interrupt_entry = 250,
                                                             .context_switch = 13'000,
                                                             .timer_interrupt = 7'000,
                                                             .timer_lateness = 1'000,
                                                             .longest_masked = 14'000},
                                                   .first_wait = 5'500,
                                                   .entry_wait = 1'250,
                                                   .switch_wait = 1'000};

constexpr port::Costs<int64_t> costs_on(unsigned cores, const CostsOfPolicy& of) {
  port::Costs<int64_t> costs = of.alone;
  if (cores < 2) return costs;
  const int64_t entry = of.first_wait + (cores - 2) * of.entry_wait;
  const int64_t before_switch = (cores - 1) * of.switch_wait;
  costs.interrupt_entry += entry;
  costs.context_switch += before_switch;
  costs.timer_interrupt += entry;
  costs.longest_masked += entry + before_switch;
  return costs;
}

}  // namespace hocket::sim
