// The policy of a sketch on the Uno, as the sketch's part of the program knows it.
// HOCKET_KERNEL_POLICY names one of these (tools/hocket/builder/policies.py chooses it). The
// kernel's part is in kernel_policies.h.
//
//   kNumber   in the image's record, for the host (layout.h)
//   Key       determines the order of loops, byte by byte; key_of() makes one
#pragma once

#include "admission/demand.h"
#include "arduino/cores/avr8/kernel_costs.h"
#include "arduino/cores/avr8/layout.h"
#include "arduino/runtime/loops.h"

namespace hocket::uno::policies {

/// Loops with a level, in its order, then all others.
template <class Ticks, bool kLevelsLast>
struct TurnKey {
  uint8_t place;
  PriorityKey<Ticks> among_equals;
  uint8_t level;  // or LoopDescriptor::kNoPriority
  uint8_t tickets;
  uint32_t slice;  // ticks

  constexpr bool has_level() const { return level != LoopDescriptor::kNoPriority; }
  static consteval TurnKey of(const Demand<Ticks>& demand, const LoopDescriptor& d) {
    const bool has_level = d.priority != LoopDescriptor::kNoPriority;
    const uint8_t by_level = d.priority;  // "none" is the largest value
    return {kLevelsLast ? static_cast<uint8_t>(has_level) : by_level,
            PriorityKey<Ticks>::of(demand), d.priority, d.tickets == 0 ? uint8_t{1} : d.tickets,
            d.turn_us() * (kTickHz / 1'000'000)};
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
