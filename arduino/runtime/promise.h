// A loop's contract, in ticks of a clock.
#pragma once

#include "admission/demand.h"
#include "arduino/runtime/loops.h"
#include "kernel/base/tick_rate.h"

namespace hocket {

template <class Rate>
constexpr TickDemand promise_in(const LoopDescriptor& descriptor) {
  return Rate::demand(descriptor.budget_ns, descriptor.period_ns, descriptor.deadline_ns);
}

/// The same contract as a Demand, for admission and priorities.
template <class Rate, class Ticks>
constexpr Demand<Ticks> demand_in(const LoopDescriptor& descriptor) {
  const TickDemand promised = promise_in<Rate>(descriptor);
  return {static_cast<Ticks>(promised.budget), static_cast<Ticks>(promised.period),
          static_cast<Ticks>(promised.deadline), descriptor.id};
}

}  // namespace hocket
