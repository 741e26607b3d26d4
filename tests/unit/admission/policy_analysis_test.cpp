// Which analysis a policy has, and what becomes of those that promise nothing.
#include "admission/policy_analysis.h"

#include <gtest/gtest.h>

#include <vector>

#include "admission/placement.h"
#include "kernel/sched/vcpu_policy.h"
#include "policies/turn_policies.h"

namespace hocket {
namespace {

template <class Policy>
using Of = AnalysisOf<Policy, 4>::Type;
using ByPriority = FixedPriorityAnalysis<int64_t, 4>;
using ByDeadlines = DeadlineAnalysis<int64_t, 4>;
using Hybrid = DeadlineAnalysis<int64_t, 4, /*kHybrid=*/true>;
using Nothing = NoPromise<int64_t, 4>;
static_assert(Same<Of<VcpuPolicy<int64_t, 8, 4>>, ByPriority>);
static_assert(Same<Of<VcpuWithIoPolicy<int64_t, 8, 4>>, ByPriority>);
static_assert(Same<Of<DeadlinePolicy<int64_t, 8, 4>>, ByDeadlines>);
static_assert(Same<Of<DeadlineWithIoPolicy<int64_t, 8, 4>>, ByDeadlines>);
static_assert(Same<Of<HybridPolicy<int64_t, 8, 4>>, Hybrid>);
static_assert(Same<Of<HybridWithIoPolicy<int64_t, 8, 4>>, Hybrid>);
static_assert(Same<Of<LevelPolicy<int64_t, 8>>, Nothing>);
static_assert(Same<Of<LotteryPolicy<int64_t, 8>>, Nothing>);
// Priorities without budgets: a thread of a high one may run for ever.
static_assert(Same<Of<BitmapPolicy<int64_t, 8>>, Nothing>);
static_assert(Same<Of<PlainVcpuPolicy<int32_t, 8, 4>>, FixedPriorityAnalysis<int32_t, 4>>);

/// Nobody is refused, and nobody has a bound.
TEST(NoPromiseTest, LoopsGoWhereTheLoadIsLeast) {
  using Analysis = Nothing;
  static_assert(SchedulabilityAnalysis<Analysis>);
  std::vector<Analysis> cores(2);
  Request<int64_t> requests[] = {{{90, 100, 100, 1}, kAnyCore, kAnyCore},
                                 {{80, 100, 100, 2}, kAnyCore, kAnyCore},
                                 {{70, 100, 100, 3}, kAnyCore, kAnyCore},
                                 {{60, 100, 100, 4}, 0, kAnyCore}};
  Placement<Analysis, 4> placement(cores.data(), 2);
  EXPECT_TRUE(placement.place_all(requests, 4, [](const auto&) { FAIL(); }));
  EXPECT_EQ(requests[3].core, 0);
  EXPECT_EQ(requests[0].core, 1);
  EXPECT_EQ(requests[1].core, 0);
  EXPECT_EQ(requests[2].core, 1);
  EXPECT_EQ(cores[0].response_time(0), Analysis::kUnbounded);
}

}  // namespace
}  // namespace hocket
