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

TEST(Properties, AnIoVirtualCpuThatIsWokenAsItStopsIsNotReadyThroughout) {
  // After one tick it is due 4/3 ticks later: two. (Of the long form's sets: 31'033'082.)
  const TaskSet set = parse(
      "horizon 533\nserver s2 3 4 io\nwork s2 494 1\nwork s2 495 1\nwork s2 497 1\nwork s2 499 1\n"
      "work s2 501 4\nwork s2 507 1\nwork s2 509 1\nwork s2 511 2\nwork s2 514 1\nwork s2 516 1\n"
      "work s2 518 1\nwork s2 520 1\nwork s2 522 1\nwork s2 524 2\nwork s2 527 4\n");
  Coverage coverage;
  EXPECT_EQ(print(check(set, simulate_slowly(set), coverage)), "");
}

TEST(Properties, MisbehaviourStaysWithItsServer) {
  Coverage coverage;
  expect_isolation(kModel, Profile::Punctual, 3'000'000, 1500, coverage);
  expect_isolation(kModel, Profile::Mixed, 4'000'000, 1500, coverage);
  EXPECT_GT(coverage.isolated_servers, 2000);
}

}  // namespace
}  // namespace hocket::test
