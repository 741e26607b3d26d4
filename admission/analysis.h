// The interface between admission and a policy: the schedulability analysis of one core.
// policy_analysis.h says which policy has which analysis. Placement and refusals are the same for
// all.
//
// An analysis is pure arithmetic on ticks, without board or port. Any computer can admit for any
// target if it instantiates the analysis with that target's ticks and costs.
#pragma once

#include "admission/overheads.h"

namespace hocket {

/// The entities of one core, ordered by rank, and whether each gets what its contract says. `rank`
/// is the place in the policy's order, from 0.
template <class A>
concept SchedulabilityAnalysis =
    requires(A analysis, const A& looked_at, unsigned rank, const Demand<typename A::Ticks>& demand,
             const Overheads<typename A::Ticks>& overheads) {
      /// Removes all entities.
      analysis.reset(overheads);
      /// The response time of an entity that never finishes.
      { A::kUnbounded } -> Same<const typename A::Ticks&>;
      { looked_at.size() } -> Same<unsigned>;
      { looked_at.full() } -> Same<bool>;
      { looked_at[rank] } -> Same<const Demand<typename A::Ticks>&>;
      /// Adds an entity and returns its rank. `remove` removes it.
      { analysis.insert(demand) } -> Same<unsigned>;
      analysis.remove(rank);
      /// Everything fitted before the entity of this rank was added. The first entity, of a higher
      /// or a lower rank, that may miss its deadline now; size(): none.
      { looked_at.first_misfit(rank) } -> Same<unsigned>;
      /// The longest time from the release until the budget has been received. The result for a
      /// lower rank number, passed as second argument, shortens the search.
      { looked_at.response_time(rank) } -> Same<typename A::Ticks>;
      { looked_at.response_time(rank, typename A::Ticks{}) } -> Same<typename A::Ticks>;
      /// Work that must be done by the entity's deadline after a common release.
      { looked_at.demand_by_deadline(rank) } -> Same<typename A::Ticks>;
      /// The largest budget with which this entity and all others would fit; 0: none.
      { analysis.largest_budget(rank) } -> Same<typename A::Ticks>;
      /// For reports: the share that is demanded, and the share up to which every set fits.
      { A::utilization_ppm(demand) } -> Same<uint32_t>;
      { looked_at.utilization_ppm() } -> Same<uint32_t>;
      { looked_at.utilization_bound_ppm() } -> Same<uint32_t>;
    };

/// Whether an analysis guarantees anything. True unless the analysis says otherwise.
template <class A>
inline constexpr bool kPromises = true;
template <class A>
  requires requires { requires !A::kPromises; }
inline constexpr bool kPromises<A> = false;

/// Whether deadlines decide which entity comes first. False unless the analysis says so.
template <class A>
inline constexpr bool kByDeadline = requires { requires A::kByDeadline; };

}  // namespace hocket
