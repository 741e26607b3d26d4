// Response-time analysis, brute force and the model agree about what fits on one core.
#include "brute_force.h"

#include "response_time.h"
#include "slow_model.h"
#include "support.h"

namespace hocket::test {
namespace {

TEST(BruteForce, KnownAnswers) {
  const BruteForceAnswer fits =
      admit_by_trying(parse("horizon 1\nserver a 25 50\nserver b 25 75\nserver c 10 150\n"));
  EXPECT_TRUE(fits.accepted);
  EXPECT_EQ(fits.response, (std::vector<Ticks>{25, 50, 135}));
  const BruteForceAnswer refused =
      admit_by_trying(parse("horizon 1\nserver a 70 100\nserver b 60 100\n"));
  EXPECT_FALSE(refused.accepted);
  EXPECT_EQ(refused.response, (std::vector<Ticks>{70, -1}));
  EXPECT_EQ(refused.largest_budget_that_fits, 30);
  const BruteForceAnswer none = admit_by_trying(parse("horizon 1\nserver a 9 9\nserver b 1 18\n"));
  EXPECT_EQ(none.largest_budget_that_fits, 0);
}

TEST(BruteForce, EqualsResponseTimeAnalysis) {
  int accepted = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const TaskSet set = generate(seed, Profile::Admission);
    const BruteForceAnswer answer = admit_by_trying(set);
    ASSERT_EQ(answer.accepted, admissible(set)) << print(set);
    (answer.accepted ? accepted : refused) += 1;
    for (std::size_t i = 0; i < set.servers.size(); ++i) {
      if (answer.response[i] >= 0)
        ASSERT_EQ(answer.response[i], response_bound(set, i)) << print(set);
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
}

/// Periodic work of exactly C on servers is the periodic task system, so the model's longest
/// responses are the bounds themselves.
TEST(BruteForce, TheModelReachesTheBounds) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    TaskSet set = generate(seed, Profile::Admission);
    if (!admissible(set)) continue;
    set.horizon = hyperperiod(set) + 1;
    for (Ticks at = 0; at < set.horizon; ++at) {
      for (std::size_t i = 0; i < set.servers.size(); ++i) {
        if (at % set.servers[i].period == 0) set.works.push_back({i, at, set.servers[i].budget});
      }
    }
    std::vector<Ticks> longest(set.servers.size(), 0);
    for (const Response& r : simulate_slowly(set).responses) {
      longest[r.server] = std::max(longest[r.server], r.finish - r.release);
    }
    EXPECT_EQ(longest, admit_by_trying(set).response) << print(set);
  }
}

}  // namespace
}  // namespace hocket::test
