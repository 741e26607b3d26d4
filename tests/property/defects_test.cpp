// Known wrong schedulers are caught: a suite that could not fail would prove nothing.
#include <gtest/gtest-spi.h>

#include <algorithm>

#include "response_time.h"
#include "shrink.h"
#include "slow_model.h"
#include "support.h"

namespace hocket::test {
namespace {

Engine model_with(Defect defect) {
  return [defect](const TaskSet& set) { return simulate_slowly(set, defect); };
}

constexpr std::uint64_t kFirstSeed = 5'000'000;
constexpr int kSets = 1000;

using Counts = std::map<std::string, int>;

/// Each property is broken by so many of the sets at least; no more are looked at than it takes.
void expect_broken(Defect defect, Profile profile, const Counts& least) {
  constexpr int kTogether = 20;
  Counts broken;
  const auto seen = [&] {
    return std::all_of(least.begin(), least.end(),
                       [&](const auto& each) { return broken[each.first] >= each.second; });
  };
  for (int sets = 0; sets < kSets && !seen(); sets += kTogether) {
    const std::uint64_t first = kFirstSeed + static_cast<std::uint64_t>(sets);
    for (const auto& [property, count] :
         count_violations(model_with(defect), profile, first, kTogether)) {
      broken[property] += count;
    }
  }
  for (const auto& [property, count] : least) EXPECT_GE(broken[property], count) << property;
}

TEST(Defects, TheRightModelBreaksNothingOnTheseSets) {
  for (const Profile profile : {Profile::Punctual, Profile::Mixed, Profile::Io}) {
    EXPECT_EQ(count_violations(model_with(Defect::None), profile, kFirstSeed, kSets), Counts{});
  }
}

TEST(Defects, ForgivenOverrunAmplifiesTheBudget) {
  expect_broken(Defect::ClampedOverrun, Profile::Mixed, {{kSupplyAbove, 50}});
}

TEST(Defects, OldReleaseKeptOnWakeGivesTwoBudgetsBackToBack) {
  expect_broken(Defect::KeepsOldReleaseOnWake, Profile::Punctual,
                {{kSupplyAbove, 50}, {kResponse, 10}});
}

TEST(Defects, LostRemainderStarvesAServerThatIsAlwaysReady) {
  expect_broken(Defect::LosesRemainder, Profile::Punctual, {{kSupplyBelow, 50}});
}

TEST(Defects, LateUseOfARefillIdlesTheCore) {
  expect_broken(Defect::UsableOneTickLate, Profile::Punctual, {{kConserving, 50}});
}

TEST(Defects, WrongRankMissesBounds) {
  expect_broken(Defect::RankIgnoresDeadline, Profile::Punctual,
                {{kResponse, 50}, {kJobResponse, 50}});
}

struct IoDefect {
  Defect defect;
  const char* property;
  int least;
};

class WrongIoVirtualCpu : public testing::TestWithParam<IoDefect> {};

TEST_P(WrongIoVirtualCpu, IsSeen) {
  expect_broken(GetParam().defect, Profile::Io, {{GetParam().property, GetParam().least}});
}

INSTANTIATE_TEST_SUITE_P(Defects, WrongIoVirtualCpu,
                         testing::Values(IoDefect{Defect::IoNothingComesBack, kJobResponse, 10},
                                         IoDefect{Defect::IoKeepsOldRelease, kSupplyAbove, 20},
                                         IoDefect{Defect::IoClampedOverrun, kSupplyAbove, 20},
                                         IoDefect{Defect::IoRoundsDown, kSupplyAbove, 1}));

// What a reader sees when an engine is wrong: the seed, a set of a few lines, the first difference.
TEST(Defects, AFailureShowsASmallSet) {
  EXPECT_NONFATAL_FAILURE(expect_equal(model_with(Defect::None), model_with(Defect::LosesRemainder),
                                       Profile::Punctual, kFirstSeed, 20),
                          "server");
  const auto fails = [](const TaskSet& s) {
    return simulate_slowly(s) != simulate_slowly(s, Defect::LosesRemainder);
  };
  std::uint64_t seed = kFirstSeed;
  while (!fails(generate(seed, Profile::Punctual))) ++seed;
  const TaskSet small = shrink(generate(seed, Profile::Punctual), fails);
  EXPECT_EQ(small.servers.size(), 1u) << print(small);
  EXPECT_EQ(small.works.size(), 2u) << print(small);
  EXPECT_LT(small.horizon, 10) << print(small);
}

TEST(Defects, IsolationIsSeenToBreak) {
  // Lower-ranked servers that run first disturb the higher ones.
  Coverage coverage;
  int broken = 0;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + 300 && broken < 30; ++seed) {
    const TaskSet set = generate(seed, Profile::Punctual);
    const auto violations = check_isolation(set, model_with(Defect::RankIgnoresDeadline),
                                            seed % set.servers.size(), seed, coverage);
    broken += std::any_of(violations.begin(), violations.end(),
                          [](const Violation& v) { return v.property == kIsolation; });
  }
  EXPECT_GE(broken, 30);
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
    set.servers = {{"a", budget, period, period, random.between(2, 8)}};
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
