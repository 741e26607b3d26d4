// The kernel's scheduler against the reference model and against the properties.
#include "kernel_adapter.h"
#include "slow_model.h"
#include "support.h"

namespace hocket::test {
namespace {

const Engine kModel = [](const TaskSet& set) { return simulate_slowly(set); };
const Engine kKernel = [](const TaskSet& set) { return simulate_kernel(set); };

TEST(Kernel, EqualsTheModelWithPunctualTimers) {
  expect_equal(kModel, kKernel, Profile::Punctual, 6'000'000, 6000);
}

TEST(Kernel, EqualsTheModelWithLateTimers) {
  expect_equal(kModel, kKernel, Profile::Mixed, 7'000'000, 6000);
}

TEST(Kernel, EqualsTheModelOnPeriodicWork) {
  expect_equal(kModel, kKernel, Profile::Periodic, 8'000'000, 1000);
}

TEST(Kernel, KeepsEveryProperty) {
  Coverage coverage;
  expect_properties(kKernel, Profile::Punctual, 9'000'000, 2500, coverage);
  expect_properties(kKernel, Profile::Mixed, 10'000'000, 2500, coverage);
  EXPECT_GT(coverage.guaranteed_periods, 3000);
  EXPECT_GT(coverage.jobs, 5000);
  EXPECT_GT(coverage.conserving_ticks, 50'000);
}

TEST(Kernel, MisbehaviourStaysWithItsServer) {
  Coverage coverage;
  expect_isolation(kKernel, Profile::Mixed, 11'000'000, 1000, coverage);
  EXPECT_GT(coverage.isolated_servers, 700);
}

}  // namespace
}  // namespace hocket::test
