// The kernel's costs on a port, as durations for the account of budgets
// (docs/decisions/who-pays.md).
#pragma once

#include "kernel/base/time.h"
#include "kernel/sched/charges.h"
#include "ports/contract/port.h"

namespace hocket {

template <class Port>
struct PortCharges {
  using Duration = BasicDuration<typename Port::Ticks>;
  static constexpr bool kOneCore = Port::kCores == 1;  // no thread is woken from another core
  static constexpr bool kThreadsMigrate = port::ThreadsMigrate<Port>;
  static constexpr Duration entry() { return Duration(Port::costs().interrupt_entry); }
  static constexpr Duration switching() { return Duration(Port::costs().context_switch); }
  static constexpr Duration interrupt() { return Duration(Port::costs().timer_interrupt); }
  static constexpr Duration ending() { return entry() + switching(); }
  /// w: one activation and one end. With several cores, an inter-processor interrupt is added.
  static constexpr Duration activation() {
    return Duration(activation_cost(Port::costs(), Port::kCores > 1));
  }
  static constexpr Duration smallest() { return larger(ending() + ending(), Duration(1)); }
};

}  // namespace hocket
