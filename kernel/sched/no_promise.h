// The analysis of policies that promise nothing: everybody is taken, and nobody has a bound. Loops
// go where the load is least (placement.h).
#pragma once

#include "kernel/sched/admission.h"

namespace hocket {

template <class Ticks, unsigned kCapacity>
class NoPromise : public FixedPriorityAnalysis<Ticks, kCapacity> {
  using Base = FixedPriorityAnalysis<Ticks, kCapacity>;

 public:
  static constexpr bool kPromises = false;

  constexpr NoPromise() = default;
  unsigned first_misfit(unsigned) const { return this->size(); }
  static Ticks response_time(unsigned) { return Base::kUnbounded; }
  static Ticks largest_budget(unsigned) { return 0; }
};

}  // namespace hocket
