// The properties hold for the reference model on many random sets, and were really checked.
#include "slow_model.h"
#include "support.h"

namespace hocket::test {
namespace {

const Engine kModel = [](const TaskSet& set) { return simulate_slowly(set); };

TEST(Properties, HoldWithPunctualTimers) {
  Coverage coverage;
  expect_properties(kModel, Profile::Punctual, 1'000'000, 6000, coverage);
  EXPECT_GT(coverage.windows, 1'000'000);
  EXPECT_GT(coverage.guaranteed_periods, 5000);
  EXPECT_GT(coverage.ready_windows, 1'000'000);
  EXPECT_GT(coverage.responses, 100'000);
  EXPECT_GT(coverage.jobs, 10'000);
  EXPECT_GT(coverage.conserving_ticks, 100'000);
}

TEST(Properties, HoldWithNaps) {
  Coverage coverage;
  expect_properties(kModel, Profile::Naps, 13'000'000, 1000, coverage);
  EXPECT_GT(coverage.windows, 1'000'000);
  EXPECT_GT(coverage.ready_windows, 100'000);
  EXPECT_GT(coverage.jobs, 1000);
  EXPECT_GT(coverage.conserving_ticks, 10'000);
}

TEST(Properties, HoldWithLateTimers) {
  Coverage coverage;
  expect_properties(kModel, Profile::Mixed, 2'000'000, 6000, coverage);
  EXPECT_GT(coverage.windows, 1'000'000);
  EXPECT_GT(coverage.guaranteed_periods, 2000);
  EXPECT_GT(coverage.responses, 50'000);
  EXPECT_GT(coverage.jobs, 5000);
}

TEST(Properties, MisbehaviourStaysWithItsServer) {
  Coverage coverage;
  expect_isolation(kModel, Profile::Punctual, 3'000'000, 1500, coverage);
  expect_isolation(kModel, Profile::Mixed, 4'000'000, 1500, coverage);
  EXPECT_GT(coverage.isolated_servers, 2000);
}

}  // namespace
}  // namespace hocket::test
