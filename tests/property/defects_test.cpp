// Known wrong schedulers are caught: a suite that could not fail would prove nothing.
#include <algorithm>

#include "response_time.h"
#include "slow_model.h"
#include "support.h"

namespace hocket::test {
namespace {

Engine model_with(Defect defect) {
  return [defect](const TaskSet& set) { return simulate_slowly(set, defect); };
}

/// At least `least` of 1,000 sets show the defect as a break of `property`.
void expect_caught(Defect defect, const char* property, Profile profile, int least) {
  EXPECT_GE(count_violations(model_with(defect), property, profile, 5'000'000, 1000), least)
      << property;
  EXPECT_EQ(count_violations(model_with(Defect::None), property, profile, 5'000'000, 1000), 0)
      << property;
}

TEST(Defects, ForgivenOverrunAmplifiesTheBudget) {
  expect_caught(Defect::ClampedOverrun, kSupplyAbove, Profile::Mixed, 50);
}

TEST(Defects, OldReleaseKeptOnWakeGivesTwoBudgetsBackToBack) {
  expect_caught(Defect::KeepsOldReleaseOnWake, kSupplyAbove, Profile::Punctual, 50);
  expect_caught(Defect::KeepsOldReleaseOnWake, kResponse, Profile::Punctual, 1);
}

TEST(Defects, LostRemainderStarvesAServerThatIsAlwaysReady) {
  expect_caught(Defect::LosesRemainder, kSupplyBelow, Profile::Punctual, 50);
}

TEST(Defects, LateUseOfARefillIdlesTheCore) {
  expect_caught(Defect::UsableOneTickLate, kConserving, Profile::Punctual, 50);
}

TEST(Defects, WrongRankMissesBounds) {
  expect_caught(Defect::RankIgnoresDeadline, kResponse, Profile::Punctual, 50);
  expect_caught(Defect::RankIgnoresDeadline, kJobResponse, Profile::Punctual, 50);
}

// The two regression suites that belong together: sets of the first kind do not show the second
// defect.

/// Highest-ranked servers that spin or burst under late timers, as a set of the first kind has
/// them.
TEST(Regression, BudgetAmplification) {
  int amplified = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    Random random(seed);
    const Ticks period = random.between(8, 60);
    const Ticks budget = random.between(1, period / 2);
    TaskSet set;
    set.horizon = 8 * period;
    set.late = random.between(1, 5);
    set.servers = {{"a", budget, period, period, random.between(1, 8)}};
    for (Ticks at = random.between(0, period); at < set.horizon; at += random.between(1, period)) {
      set.works.push_back({0, at, random.between(1, 2 * budget)});
    }
    Coverage coverage;
    ASSERT_EQ(print(check(set, simulate_slowly(set), coverage)), "") << print(set);
    amplified += !check(set, simulate_slowly(set, Defect::ClampedOverrun), coverage).empty();
  }
  EXPECT_GT(amplified, 500);
}

/// The lower task's response 37 against its bound 36 when a preempted server replenishes too early.
constexpr const char* kPremature =
    "horizon 100\n"
    "server hp 14 39 deadline=20\n"
    "server server 10 23\n"
    "server low 2 200\n"
    "work low 36 2\n"
    "work server 37 1\n"
    "work hp 38 14\n"
    "work server 38 20\n";

Ticks response_of_low(const TaskSet& set, Defect defect) {
  Ticks longest = 0;
  for (const Response& r : simulate_slowly(set, defect).responses) {
    if (r.server == 2) longest = std::max(longest, r.finish - r.release);
  }
  return longest;
}

TEST(Regression, PrematureReplenishment) {
  const TaskSet set = parse(kPremature);
  EXPECT_EQ(response_bound(set, 2), 36);
  EXPECT_EQ(response_of_low(set, Defect::None), 36);
  EXPECT_EQ(response_of_low(set, Defect::PrematureReplenishment), 37);
  Coverage coverage;
  EXPECT_EQ(print(check(set, simulate_slowly(set), coverage)), "");
  const auto violations =
      check(set, simulate_slowly(set, Defect::PrematureReplenishment), coverage);
  EXPECT_TRUE(std::any_of(violations.begin(), violations.end(),
                          [](const Violation& v) { return v.property == kJobResponse; }));
}

/// The same three servers under random work: many patterns show it, the right list never does.
TEST(Regression, PrematureReplenishmentUnderRandomWork) {
  int above = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    TaskSet set = parse(kPremature);
    set.works.clear();
    for (Ticks at = random.between(0, 39); at < set.horizon; at += 39)
      set.works.push_back({0, at, 14});
    for (Ticks at = random.between(0, 10); at < set.horizon; at += random.between(1, 15)) {
      set.works.push_back({1, at, random.between(1, 10)});
    }
    set.works.push_back({2, random.between(0, 60), 2});
    std::sort(set.works.begin(), set.works.end(),
              [](const Work& a, const Work& b) { return a.at < b.at; });
    ASSERT_LE(response_of_low(set, Defect::None), 36) << print(set);
    above += response_of_low(set, Defect::PrematureReplenishment) > 36;
  }
  EXPECT_GT(above, 5);
}

}  // namespace
}  // namespace hocket::test
