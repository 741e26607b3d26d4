// Response times and bounds with known answers; random sets are compared in tests/property.
#include "kernel/sched/admission.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hocket {
namespace {

using Analysis = CoreAnalysis<int64_t, 8>;
using TestDemand = Demand<int64_t>;

Analysis analyse(std::initializer_list<TestDemand> demands, Overheads<int64_t> overheads = {}) {
  Analysis analysis(overheads);
  for (const TestDemand& demand : demands) analysis.insert(demand);
  return analysis;
}

TEST(ResponseTime, TextbookSet) {
  // Burns & Wellings' classic: 3/7, 3/12, 5/20 respond in 3, 6, 20.
  Analysis analysis = analyse({{5, 20, 20, 3}, {3, 7, 7, 1}, {3, 12, 12, 2}});
  EXPECT_EQ(analysis.response_time(0), 3);
  EXPECT_EQ(analysis.response_time(1), 6);
  EXPECT_EQ(analysis.response_time(2), 20);
  EXPECT_TRUE(analysis.fits_from(0));
}

TEST(ResponseTime, BeyondLiuAndLayland) {
  Analysis analysis = analyse({{25, 50, 50, 1}, {20, 75, 75, 2}, {30, 150, 150, 3}});
  EXPECT_GT(analysis.utilization_ppm(), liu_layland_ppm(3));
  EXPECT_TRUE(analysis.fits_from(0));
  EXPECT_EQ(analysis.response_time(2), 145);
}

TEST(ResponseTime, OverloadHasNoBound) {
  Analysis analysis = analyse({{70, 100, 100, 1}, {60, 100, 100, 2}});
  EXPECT_EQ(analysis[0].budget, 60);  // equal deadlines: the smaller budget first
  EXPECT_EQ(analysis.response_time(1), Analysis::kUnbounded);
  EXPECT_EQ(analysis.demand_by_deadline(1), 130);
  EXPECT_EQ(analysis.first_misfit(0), 1u);
  EXPECT_EQ(analysis.largest_budget(0), 30);
}

TEST(ResponseTime, OverheadsCount) {
  Overheads<int64_t> overheads;
  overheads.costs = {
      .context_switch = 1, .timer_interrupt = 2, .timer_lateness = 3, .longest_masked = 4};
  overheads.blocking = 5;
  overheads.minimum_budget = 10;
  overheads.refills = 8;
  Analysis analysis = analyse({{20, 1000, 1000, 1}, {100, 2000, 2000, 2}}, overheads);
  // 20 ticks come in at most 2 refills of 10, 100 in at most 8; each costs 2·1 + 2.
  EXPECT_EQ(analysis.response_time(0), (4 + 5) + (20 + 2 * 4) + 3);
  EXPECT_EQ(analysis.response_time(1), (4 + 5) + (100 + 8 * 4) + (20 + 2 * 4) + 3);
}

TEST(ResponseTime, OverrunsOfLockHoldersCountOncePerVirtualCpu) {
  Overheads<int64_t> overheads;
  overheads.overrun = 7;
  Analysis analysis = analyse({{10, 50, 50, 1}, {20, 100, 100, 2}, {30, 300, 300, 3}}, overheads);
  // A higher one is released twice in the window, but is ahead of its budget by 7 at most, in all.
  EXPECT_EQ(analysis.response_time(0), 10 + 7);
  EXPECT_EQ(analysis.response_time(1), (20 + 7) + (10 + 7));
  EXPECT_EQ(analysis.response_time(2), (30 + 7) + (20 + 7) + (10 * 2 + 7));
}

TEST(ResponseTime, ANearlyFullCoreConvergesSlowlyButIsAnswered) {
  // R = 9,999 + ceil(R/1000)·999: thousands of steps, and well before the deadline.
  Analysis analysis = analyse({{999, 1'000, 1'000, 1}, {9'999, 20'000'000, 20'000'000, 2}});
  const int64_t response = analysis.response_time(1);
  EXPECT_EQ(response, 9'999 + (response + 999) / 1'000 * 999);
  EXPECT_LE(response, 20'000'000);
  EXPECT_TRUE(analysis.fits_from(0));
}

TEST(ResponseTime, HugeNumbersDoNotOverflow) {
  const int64_t day = int64_t{24} * 3600 * 1'000'000'000;
  Analysis analysis = analyse({{day / 2, day, day, 1}, {1, 2, 2, 2}, {day / 4, day, day, 3}});
  EXPECT_EQ(analysis.response_time(2), Analysis::kUnbounded);
  EXPECT_NEAR(Analysis::utilization_ppm({INT64_MAX / 4, INT64_MAX / 2, INT64_MAX / 2, 0}), 500'000,
              1);
}

TEST(LiuLayland, EqualsTheFormula) {
  EXPECT_EQ(liu_layland_ppm(0), 1'000'000u);
  for (unsigned n = 1; n <= 32; ++n) {
    const double exact = 1e6 * n * (std::pow(2.0, 1.0 / n) - 1);
    EXPECT_NEAR(liu_layland_ppm(n), exact, 1.0) << n;
  }
  EXPECT_EQ(liu_layland_ppm(33), 693'147u);
  EXPECT_LE(liu_layland_ppm(1000), liu_layland_ppm(32));
}

}  // namespace
}  // namespace hocket
