// A loop's thread and virtual CPU, made from what it was promised: the same on every board.
#pragma once

#include "kernel/sched/pibs_server.h"
#include "kernel/sched/scheduler.h"
#include "port/contract.h"

namespace hocket::runtime {

/// What is enforced of a loop's promise, at the priority that admission gave it.
template <class System>
struct Contract {
  typename System::Policy::Slot slot;
  typename System::Duration budget;  // enforced_budget() of it
  typename System::Duration period;
  bool background;
  bool io = false;  // an I/O virtual CPU
};

/// Where a loop runs: slot 0 of a core is for spinlocks.
inline constexpr unsigned kFirstSlot = 1;

/// A loop that will call `entry(argument)` on its stack; System::start() begins it. On its core.
template <class System>
HOCKET_IN_LINE void create_loop(CoreId core, typename System::Vcpu& vcpu,
                                typename System::Thread& thread, decltype(thread.id) number,
                                const Contract<System>& contract, typename System::Instant now,
                                port::Stack stack, typename System::Entry entry, void* argument) {
  auto& policy = System::core(core).policy;
  if constexpr (kServesIo<typename System::Policy::SupplyServer>) {
    if (contract.io) {
      policy.add(vcpu, contract.slot, contract.budget, contract.period, now, ForIo{});
    } else {
      policy.add(vcpu, contract.slot, contract.budget, contract.period, now);
    }
  } else {
    policy.add(vcpu, contract.slot, contract.budget, contract.period, now);
  }
  vcpu.background = contract.background;
  thread.id = number;
  System::create(thread, vcpu, stack, entry, argument);
}

}  // namespace hocket::runtime
