// Which analysis a policy has. It follows from what its order ranks by (kernel/sched/order.h), and
// from whether its servers enforce a budget.
//
// The kernel does not know its analyses. A policy that ranks differently needs an analysis of its
// own, and an AnalysisOf beside it.
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

/// Without budgets nothing bounds what other entities take, whatever the order.
template <class Policy>
inline constexpr Ranking kPromisedBy =
    Policy::SupplyServer::kAlwaysUsable ? Ranking::Turn : Policy::kRanking;
}  // namespace detail

/// The analysis of a policy's cores with up to kCapacity entities.
template <class Policy, unsigned kCapacity>
struct AnalysisOf : detail::AnalysisBy<decltype(typename Policy::Instant{}.ticks()), kCapacity,
                                       detail::kPromisedBy<Policy>> {};

}  // namespace hocket
