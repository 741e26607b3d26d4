// Which policy a sketch on the Uno has, as its own part knows it: HOCKET_KERNEL_POLICY is the name
// of one of these (tools/hocket/builder/policies.py chooses it). What it is in the kernel is in
// kernel_policies.h.
//
//   kNumber   in the image's record, for who looks at it from outside (layout.h)
//   Key       says who comes first, byte by byte; key_of() makes one
#pragma once

#include "admission/demand.h"
#include "arduino/cores/avr8/layout.h"
#include "arduino/runtime/loops.h"

namespace hocket::uno::policies {

/// Whoever has a level, in its order; behind them the others.
template <class Ticks, bool kLevelsLast>
struct TurnKey {
  uint8_t place;
  PriorityKey<Ticks> among_equals;
  uint8_t level;  // or LoopDescriptor::kNoPriority
  uint8_t tickets;

  constexpr bool has_level() const { return level != LoopDescriptor::kNoPriority; }
  static consteval TurnKey of(const Demand<Ticks>& demand, const LoopDescriptor& d) {
    const bool has_level = d.priority != LoopDescriptor::kNoPriority;
    const uint8_t by_level = d.priority;  // none is the last of all
    return {kLevelsLast ? static_cast<uint8_t>(has_level) : by_level,
            PriorityKey<Ticks>::of(demand), d.priority, d.tickets == 0 ? uint8_t{1} : d.tickets};
  }
};

template <PolicyNumber kPolicy>
struct ByContract {
  static constexpr PolicyNumber kNumber = kPolicy;
  template <class Ticks>
  using Key = PriorityKey<Ticks>;
  template <class Ticks>
  static consteval Key<Ticks> key_of(const Demand<Ticks>& demand, const LoopDescriptor&) {
    return Key<Ticks>::of(demand);
  }
};
template <PolicyNumber kPolicy, bool kLevelsLast = false>
struct ByTurns {
  static constexpr PolicyNumber kNumber = kPolicy;
  template <class Ticks>
  using Key = TurnKey<Ticks, kLevelsLast>;
  template <class Ticks>
  static consteval Key<Ticks> key_of(const Demand<Ticks>& demand, const LoopDescriptor& d) {
    return Key<Ticks>::of(demand, d);
  }
};

using vcpu = ByContract<PolicyNumber::Vcpu>;
using edf = ByContract<PolicyNumber::Edf>;
using hybrid_edf = ByTurns<PolicyNumber::HybridEdf, /*kLevelsLast=*/true>;
using mlq = ByTurns<PolicyNumber::Mlq>;
using bitmap = ByTurns<PolicyNumber::Bitmap>;
using lottery = ByTurns<PolicyNumber::Lottery>;

#ifndef HOCKET_KERNEL_POLICY
#define HOCKET_KERNEL_POLICY vcpu
#endif
using Chosen = HOCKET_KERNEL_POLICY;

}  // namespace hocket::uno::policies
