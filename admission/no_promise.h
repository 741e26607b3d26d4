// The analysis of policies that guarantee nothing: every demand is accepted, and none has a bound.
// Loops are placed where the load is least (placement.h).
#pragma once

#include "admission/analysis.h"
#include "admission/ranked_demands.h"

namespace hocket {

template <class TicksType, unsigned kCapacity>
class NoPromise : public RankedDemands<TicksType, kCapacity> {
  using Base = RankedDemands<TicksType, kCapacity>;

 public:
  using Ticks = TicksType;
  using Base::remove, Base::reset;
  static constexpr bool kPromises = false;

  constexpr NoPromise() = default;
  /// Demands with a level come first, ordered by level; the others follow.
  unsigned insert(const Demand<Ticks>& demand) {
    unsigned rank = 0;
    while (rank < this->size() && !comes_before(demand, (*this)[rank])) ++rank;
    this->insert_at(rank, demand);
    return rank;
  }
  unsigned first_misfit(unsigned) const { return this->size(); }
  static Ticks response_time(unsigned, Ticks = 0) { return Base::kUnbounded; }
  static Ticks largest_budget(unsigned) { return 0; }
  static Ticks demand_by_deadline(unsigned) { return 0; }
  /// Accepts any handler: nothing is guaranteed against it.
  static bool add_handler(Ticks, Ticks) { return true; }

 private:
  static bool comes_before(const Demand<Ticks>& a, const Demand<Ticks>& b) {
    return a.place() != b.place() ? a.place() < b.place() : precedes(a, b);
  }
};

}  // namespace hocket
