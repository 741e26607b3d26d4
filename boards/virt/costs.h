// The kernel's costs on `virt`, in instructions, for up to 256 virtual CPUs on a core. They hold
// for one core, and for each of several as long as none waits for another.
// tests/system/test_costs_of_virt.py searches for the worst case, by observing product runs from
// outside. Found with priorities and with deadlines:
//
//   E   the vector, which device it is, and which pin                           115       115
//   S   a budget ends: it is put down and joined, its owner waits in the
//       timeline, and one leaves that and runs                                1,730     2,052
//   I   one that was due, and has no budget, goes back to wait                  872       628
//   M   the entry, and the switch behind it                                   1,767     2,087
//
// With deadlines the timeline is a balanced tree; with priorities it is a tournament, which is
// cheaper to change (docs/decisions/earliest-deadline-first.md).
#pragma once

#include <stdint.h>

#include "ports/contract/port.h"

namespace hocket::machine {

inline constexpr port::Costs<int64_t> kByPriorityCosts{.interrupt_entry = 200,
                                                       .context_switch = 2'200,
                                                       .timer_interrupt = 1'000,
                                                       .timer_lateness = 50,
                                                       .longest_masked = 2'400};
inline constexpr port::Costs<int64_t> kByDeadlineCosts{.interrupt_entry = 200,
                                                       .context_switch = 2'800,
                                                       .timer_interrupt = 1'000,
                                                       .timer_lateness = 50,
                                                       .longest_masked = 3'000};

/// The policy that the kernel is compiled for, by its name in arduino/runtime/policies.h. The
/// default is fixed priorities.
enum class Policies { vcpu, edf, hybrid_edf, mlq, bitmap, lottery };
#ifdef HOCKET_KERNEL_POLICY
inline constexpr Policies kPolicy = Policies::HOCKET_KERNEL_POLICY;
#else
inline constexpr Policies kPolicy = Policies::vcpu;
#endif
inline constexpr bool kByDeadline = kPolicy == Policies::edf || kPolicy == Policies::hybrid_edf;

}  // namespace hocket::machine
