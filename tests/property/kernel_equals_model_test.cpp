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

TEST(Kernel, EqualsTheModelOnNaps) {
  expect_equal(kModel, kKernel, Profile::Naps, 12'000'000, 1000);
}

TEST(Kernel, EqualsTheModelOnPeriodicWork) {
  expect_equal(kModel, kKernel, Profile::Periodic, 8'000'000, 1000);
}

TEST(Kernel, EqualsTheModelWithIoVirtualCpus) {
  expect_equal(kModel, kKernel, Profile::Io, 30'000'000, 10'000);
}

TEST(Kernel, KeepsEveryProperty) {
  Coverage coverage;
  expect_properties(kKernel, Profile::Punctual, 9'000'000, 2500, coverage);
  expect_properties(kKernel, Profile::Mixed, 10'000'000, 2500, coverage);
  expect_properties(kKernel, Profile::Naps, 14'000'000, 300, coverage);
  expect_properties(kKernel, Profile::Io, 31'000'000, 2500, coverage);
  EXPECT_GT(coverage.guaranteed_periods, 3000);
  EXPECT_GT(coverage.ready_windows, 300'000);
  EXPECT_GT(coverage.jobs, 5000);
  EXPECT_GT(coverage.conserving_ticks, 50'000);
}

TEST(Kernel, MisbehaviourStaysWithItsServer) {
  Coverage coverage;
  expect_isolation(kKernel, Profile::Mixed, 11'000'000, 1000, coverage);
  expect_isolation(kKernel, Profile::Io, 32'000'000, 1000, coverage);
  EXPECT_GT(coverage.isolated_servers, 700);
}

// Small sets that have told a wrong scheduler from a right one.

void expect_equal_on(const char* text) {
  const TaskSet set = parse(text);
  EXPECT_EQ(first_difference(set, simulate_slowly(set), simulate_kernel(set)), "") << text;
}

TEST(KernelRegression, WokenWithoutBudgetItRunsInTheBackgroundOfAnIdleCore) {
  expect_equal_on(
      "horizon 14\nserver a 4 48\nserver b 12 68 background\nwork b 0 12\nwork b 13 1\n");
}

TEST(KernelRegression, WorkDoneAsTheRefillEndsIsOneResponse) {
  // At 53 the head of c is (53,1). The others run first; c's refill and its work end together
  // at 56.
  expect_equal_on(
      "horizon 57\nserver a 2 24\nserver b 2 24\nserver c 6 24\n"
      "work c 31 5\nwork a 53 1\nwork b 53 1\nwork c 53 1\n");
}

TEST(KernelRegression, ChargedTwiceAtAnInstantAFullListIsDelayedOnce) {
  expect_equal_on(
      "horizon 200\nserver a 2 83\nserver b 14 95 refills=2\n"
      "work a 0 2\nwork b 0 2\nwork a 3 1\nwork b 4 1\n");
}

TEST(KernelRegression, AWakeThatPreemptsNobodyCostsAFullListNothing) {
  // `high` wakes at 56, has no budget before 61, and does not preempt: nothing is charged or
  // delayed.
  expect_equal_on(
      "horizon 160\nserver a 5 36\nserver b 6 113\nserver high 1 22\nserver low 5 55 refills=2\n"
      "work low 0 21\nwork high 17 2\nwork high 56 1\n");
}

TEST(KernelRegression, BehindALimitNobodyWhoIsDueIsLeftOut) {
  // At 343 s3's budget ends; s0 wakes without budget, and s4 with some: all in one decision (the
  // adapter throws when the policy wants to be asked again at the same instant).
  expect_equal_on(
      "horizon 344\nserver s0 1 33 background\nserver s3 2 19\nserver s4 3 49\n"
      "work s0 311 1\nwork s3 323 1\nwork s3 325 1\nwork s3 326 1\nwork s3 326 1\n"
      "work s0 343 1\nwork s4 343 1\n");
}

TEST(KernelRegression, ANextReleaseCountsFromItsBudgetNotFromItsTurn) {
  // s1's next refill can be used from 164 on, its last one ends at 165.
  expect_equal_on(
      "horizon 167\nserver s1 26 69\nserver s2 5 53\n"
      "work s1 95 22\nwork s1 159 5\nwork s2 159 2\n");
}

}  // namespace
}  // namespace hocket::test
