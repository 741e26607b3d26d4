// Which analysis a policy has: it follows from by what its order ranks (kernel/sched/order.h), and
// from whether its servers enforce a budget.
//
// The kernel does not know its analyses. A policy that ranks in another way needs one of its own:
// an AnalysisOf for it, beside it.
#pragma once

#include "admission/deadline_analysis.h"
#include "admission/fixed_priority_analysis.h"
#include "admission/no_promise.h"
#include "kernel/sched/order.h"
#include "kernel/sched/policy.h"

namespace hocket {

namespace detail {
template <class Ticks, unsigned kCapacity, Ranking kRanking>
struct AnalysisBy {
  using Type = NoPromise<Ticks, kCapacity>;
};
template <class Ticks, unsigned kCapacity>
struct AnalysisBy<Ticks, kCapacity, Ranking::Priority> {
  using Type = FixedPriorityAnalysis<Ticks, kCapacity>;
};
template <class Ticks, unsigned kCapacity>
struct AnalysisBy<Ticks, kCapacity, Ranking::Deadline> {
  using Type = DeadlineAnalysis<Ticks, kCapacity>;
};
template <class Ticks, unsigned kCapacity>
struct AnalysisBy<Ticks, kCapacity, Ranking::DeadlineThenTurn> {
  using Type = DeadlineAnalysis<Ticks, kCapacity, /*kHybrid=*/true>;
};

/// Without budgets nothing bounds what the others take, whatever the order is.
template <class Policy>
inline constexpr Ranking kPromisedBy =
    Policy::SupplyServer::kAlwaysUsable ? Ranking::Turn : Policy::kRanking;
}  // namespace detail

/// The analysis of a policy's cores with up to kCapacity entities.
template <class Policy, unsigned kCapacity>
struct AnalysisOf : detail::AnalysisBy<decltype(typename Policy::Instant{}.ticks()), kCapacity,
                                       detail::kPromisedBy<Policy>> {};

}  // namespace hocket
