// What admission needs of a policy: the schedulability analysis of one core. Which one a policy has
// is in policy_analysis.h; placement and refusals are the same for all.
//
// An analysis is pure arithmetic on ticks, without board or port: any computer admits for any
// target by instantiating it with that target's ticks and costs.
#pragma once

#include "admission/overheads.h"

namespace hocket {

/// One core's entities, ranked, and whether each gets what its contract says. `rank` is a place in
/// the policy's order, 0 first.
template <class A>
concept SchedulabilityAnalysis =
    requires(A analysis, const A& looked_at, unsigned rank, const Demand<typename A::Ticks>& demand,
             const Overheads<typename A::Ticks>& overheads) {
      /// Nobody is on the core.
      analysis.reset(overheads);
      /// The response of what never finishes.
      { A::kUnbounded } -> Same<const typename A::Ticks&>;
      { looked_at.size() } -> Same<unsigned>;
      { looked_at.full() } -> Same<bool>;
      { looked_at[rank] } -> Same<const Demand<typename A::Ticks>&>;
      /// Adds an entity and says its rank; `remove` takes it out again.
      { analysis.insert(demand) } -> Same<unsigned>;
      analysis.remove(rank);
      /// All had what they asked for before the entity of this rank was added: the first that may
      /// miss its deadline now, above it or below it; size(): none.
      { looked_at.first_misfit(rank) } -> Same<unsigned>;
      /// From the release until the budget has been received, at most. What is known of a lower
      /// rank number shortens the search.
      { looked_at.response_time(rank) } -> Same<typename A::Ticks>;
      { looked_at.response_time(rank, typename A::Ticks{}) } -> Same<typename A::Ticks>;
      /// Work that must be done by its deadline after a common release.
      { looked_at.demand_by_deadline(rank) } -> Same<typename A::Ticks>;
      /// The largest budget with which it and all others would fit; 0: none.
      { analysis.largest_budget(rank) } -> Same<typename A::Ticks>;
      /// For people: the share that is asked for, and the one up to which every set fits.
      { A::utilization_ppm(demand) } -> Same<uint32_t>;
      { looked_at.utilization_ppm() } -> Same<uint32_t>;
      { looked_at.utilization_bound_ppm() } -> Same<uint32_t>;
    };

/// Whether an analysis promises anything: yes, unless it says otherwise.
template <class A>
inline constexpr bool kPromises = true;
template <class A>
  requires requires { requires !A::kPromises; }
inline constexpr bool kPromises<A> = false;

/// Whether who comes first follows from deadlines: no, unless it says so.
template <class A>
inline constexpr bool kByDeadline = requires { requires A::kByDeadline; };

}  // namespace hocket
