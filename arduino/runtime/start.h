// Creates a loop's virtual CPU and its thread, in the same way on every board.
#pragma once

#include "kernel/sched/pibs_server.h"
#include "kernel/task/kernel.h"

namespace hocket::runtime {

/// Where priorities of loops begin: slot 0 of a core is for spinlocks.
inline constexpr unsigned kFirstSlot = 1;

/// Creates a loop that will call `entry(argument)` on its stack, in a protection domain, on the
/// core of its virtual CPU. It does not run yet; System::start() starts it. `contract` holds the
/// arguments of its server (kernel/sched/sporadic_server.h): what is enforced, and since when. Only
/// before the core runs.
template <class System, class... Contract>
HOCKET_IN_LINE void create_loop(typename System::Vcpu& vcpu, typename System::Policy::Slot slot,
                                bool background, typename System::Thread& thread,
                                decltype(thread.id) number, port::Stack stack,
                                typename System::Entry entry, void* argument,
                                typename System::Processor::Domain domain, Contract... contract) {
  const auto at_rest = System::LockedCore::at_rest(System::core_of(vcpu));
  at_rest->policy.add(vcpu, slot, contract...);
  vcpu.background = background;
  thread.id = number;
  System::create(thread, vcpu, stack, entry, argument, domain);
}

/// Calls `create`, with the extra argument of an I/O virtual CPU's server if `io`.
template <class System, class Create>
void with_server([[maybe_unused]] bool io, Create create) {
  if constexpr (kHasIo<typename System::Policy>) {
    if (io) return create(ForIo{});
  }
  create();
}

}  // namespace hocket::runtime
