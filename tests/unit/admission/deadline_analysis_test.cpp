// The analysis by deadlines: by example, and against the policy one tick after the other.
#include "admission/deadline_analysis.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "admission/fixed_priority_analysis.h"
#include "kernel/sched/deadline_policy.h"
#include "tests/unit/kernel/check_failed.h"

extern "C" void hocket_check_failed(const char* what, const char*, unsigned) {
  throw CheckFailed(what);
}

namespace hocket {
namespace {

using Policy = DeadlinePolicy<int64_t, 8, 4>;
using Entity = Policy::Entity;
using Instant = Policy::Instant;
using Duration = Policy::Duration;
static_assert(SchedulabilityAnalysis<DeadlineAnalysis<int64_t, 4>>);

/// Whoever is accepted gets its budget in each period, whoever else runs.
RC_GTEST_PROP(DeadlineAnalysisTest, WhatIsAcceptedIsServed, ()) {
  DeadlineAnalysis<int64_t, 4> analysis;
  std::vector<Demand<int64_t>> demands(*rc::gen::inRange<size_t>(1, 5));
  for (auto& demand : demands) {
    demand.period = demand.deadline = *rc::gen::inRange<int64_t>(5, 60);
    demand.budget = *rc::gen::inRange<int64_t>(
        1, std::max<int64_t>(2, 2 * demand.period / static_cast<int64_t>(demands.size())));
    demand.budget = std::min(demand.budget, demand.period);
    analysis.insert(demand);
  }
  RC_PRE(analysis.first_misfit(0) == analysis.size());
  Policy policy;
  policy.reset(8);
  std::vector<Entity> entities(demands.size());
  for (unsigned i = 0; i < demands.size(); ++i) {
    policy.add(entities[i], static_cast<uint8_t>(i), Duration(demands[i].budget),
               Duration(demands[i].period), Instant(0));
    static_cast<void>(policy.wake(entities[i], Instant(0), Waker::Thread));
  }
  std::vector<int64_t> got(demands.size());
  for (int64_t now = 0; now < 2000; ++now) {
    for (unsigned i = 0; i < demands.size(); ++i) {
      if (now == 0 || now % demands[i].period != 0) continue;
      RC_ASSERT(got[i] == demands[i].budget);
      got[i] = 0;
    }
    const Entity* const runs = policy.pick(Instant(now), Cause::Timer);
    if (runs != nullptr) ++got[static_cast<size_t>(runs - entities.data())];
  }
}

TEST(DeadlineAnalysisTest, AcceptsUpToTheWholeCoreAndNoMore) {
  DeadlineAnalysis<int64_t, 4> analysis;
  analysis.insert({25, 50, 50, 1});
  EXPECT_EQ(analysis.insert({33, 70, 70, 2}), 1u);
  EXPECT_EQ(analysis.first_misfit(0), 2u);
  EXPECT_EQ(analysis.response_time(1), 70);
  EXPECT_EQ(analysis.largest_budget(1), 35);  // all of it
  FixedPriorityAnalysis<int64_t, 4> fixed;
  fixed.insert({25, 50, 50, 1});
  fixed.insert({33, 70, 70, 2});
  EXPECT_EQ(fixed.first_misfit(0), 1u);
  analysis.insert({1, 30, 30, 3});
  EXPECT_EQ(analysis.first_misfit(0), 0u);
  EXPECT_EQ(analysis.response_time(0), decltype(analysis)::kUnbounded);
  EXPECT_EQ(analysis.first_overload(), 350);  // 7 · 25 + 5 · 33 + 11 · 1 = 351
  EXPECT_EQ(analysis.demand_by(350), 351);
}

TEST(DeadlineAnalysisTest, CountsWhatTheKernelAdds) {
  Overheads<int64_t> overheads;
  overheads.costs = {.interrupt_entry = 1,
                     .context_switch = 1,
                     .timer_interrupt = 1,
                     .timer_lateness = 1,
                     .longest_masked = 1};
  DeadlineAnalysis<int64_t, 4> analysis(overheads);
  analysis.insert({92, 100, 100, 1});
  EXPECT_EQ(analysis.first_misfit(0), 1u);  // w = 4, once 2 and 2: 100
  analysis.remove(0);
  analysis.insert({93, 100, 100, 1});
  EXPECT_EQ(analysis.first_misfit(0), 0u);
  EXPECT_EQ(analysis.largest_budget(0), 92);
  EXPECT_EQ(analysis.first_overload(), 100);
}

TEST(DeadlineAnalysisTest, EarlierDeadlinesLeaveLess) {
  DeadlineAnalysis<int64_t, 4> analysis;
  analysis.insert({10, 100, 50, 1});
  analysis.insert({45, 60, 60, 2});
  EXPECT_EQ(analysis.first_misfit(0), 2u);
  EXPECT_EQ(analysis.response_time(0), 50);
  EXPECT_EQ(analysis.largest_budget(0), 15);
  analysis.insert({6, 100, 60, 3});
  EXPECT_EQ(analysis.first_overload(), 60);
  EXPECT_EQ(analysis.demand_by(60), 61);
}

TEST(DeadlineAnalysisTest, ALowerOnesSectionCountsUpToItsDeadline) {
  DeadlineAnalysis<int64_t, 4> analysis;
  analysis.insert({5, 10, 10, 1});
  analysis.insert({10, 20, 20, 2});
  EXPECT_EQ(analysis.first_misfit(0), 2u);
  EXPECT_TRUE(analysis.add_section({5, 20, 10}));
  EXPECT_EQ(analysis.first_misfit(0), 2u);
  EXPECT_TRUE(analysis.add_section({6, 20, 10}));
  EXPECT_EQ(analysis.first_misfit(0), 0u);
  EXPECT_EQ(analysis.first_overload(), 10);
  analysis.reset({});
  analysis.insert({5, 10, 10, 1});
  analysis.insert({10, 20, 20, 2});
  EXPECT_TRUE(analysis.add_section({6, 20, 20}));  // nobody with an earlier deadline uses its lock
  EXPECT_EQ(analysis.first_misfit(0), 2u);
}

TEST(DeadlineAnalysisTest, ALockOfOneThatTakesTurnsBlocksPastEveryDeadline) {
  Overheads<int64_t> overheads;
  overheads.blocking = 6;
  DeadlineAnalysis<int64_t, 4, /*kHybrid=*/true> analysis(overheads);
  analysis.insert({95, 100, 100, 1});
  EXPECT_EQ(analysis.first_misfit(0), 1u);  // no other one uses a lock
  Demand<int64_t> turns{1, 1'000, 1'000, 2};
  turns.has_level = true;
  const unsigned rank = analysis.insert(turns);
  EXPECT_EQ(rank, 1u);
  EXPECT_EQ(analysis.first_misfit(rank), rank);  // 101 of 100
  EXPECT_EQ(analysis.first_overload(), 100);
  analysis.replace(0, {94, 100, 100, 1});
  EXPECT_EQ(analysis.first_misfit(rank), 2u);
}

TEST(DeadlineAnalysisTest, TakesTheLastTickOfACoreAlsoAfterManyDeadlines) {
  DeadlineAnalysis<int64_t, 2> analysis;
  analysis.insert({999'999, 1'000'000, 1'000'000, 1});
  const int64_t period = 80'000'000'000;  // eighty thousand of the other's
  const unsigned rank = analysis.insert({200'000, period, period, 2});
  EXPECT_EQ(analysis.first_misfit(rank), rank);
  EXPECT_FALSE(analysis.undecided());
  EXPECT_EQ(analysis.largest_budget(rank), 80'000);
}

TEST(DeadlineAnalysisTest, SaysWhenItHasGivenUp) {
  Overheads<int64_t> overheads;
  overheads.costs.longest_masked = 80'000;
  DeadlineAnalysis<int64_t, 4> analysis(overheads);
  // They leave 10^-11 of the core, and the golden ratio keeps their deadlines apart: all of them
  // hold, but there are half a million until the core has made up for what comes once.
  const int64_t first = 100'000'000'003, second = 161'803'398'877;
  analysis.insert({first / 2, first, first, 1});
  EXPECT_FALSE(analysis.undecided());
  const unsigned rank = analysis.insert({second / 2, second, second, 2});
  EXPECT_EQ(analysis.first_misfit(rank), rank);
  EXPECT_TRUE(analysis.undecided());
  analysis.remove(rank);
  analysis.insert({second / 2 + 2, second, second, 2});  // more than there is
  EXPECT_EQ(analysis.first_misfit(0), 0u);
  EXPECT_FALSE(analysis.undecided());
}

TEST(DeadlineAnalysisTest, RefusesDeadlinesBehindThePeriod) {
  DeadlineAnalysis<int64_t, 4> analysis;
  analysis.insert({10, 100, 101, 1});
  EXPECT_EQ(analysis.first_misfit(0), 0u);
  EXPECT_EQ(analysis.first_overload(), 0);
}

}  // namespace
}  // namespace hocket
