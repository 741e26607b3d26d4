// The text format, its error messages, and the generator's promises.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "generate.h"
#include "response_time.h"
#include "shrink.h"

namespace hocket::test {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse(text, "set.txt");
  } catch (const ParseError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TaskSet, ReadsEveryStatement) {
  const TaskSet set = parse(
      "# a set\n"
      "horizon 500\n"
      "late 2\n"
      "server a 3 10 deadline=7 refills=4 background\n"
      "server b 5 20\n"
      "\n"
      "work b 9 1   # out of order\n"
      "work a 0 4\n");
  EXPECT_EQ(set.horizon, 500);
  EXPECT_EQ(set.late, 2);
  EXPECT_EQ(set.servers.at(0), (ServerSpec{"a", 3, 10, 7, 4, true}));
  EXPECT_EQ(set.servers.at(1), (ServerSpec{"b", 5, 20, 20, 8, false}));
  EXPECT_EQ(set.works, (std::vector<Work>{{0, 0, 4}, {1, 9, 1}}));
}

TEST(TaskSet, PrintsWhatItReads) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const TaskSet set = generate(seed, Profile::Mixed);
    ASSERT_EQ(validate(set), "") << print(set);
    ASSERT_EQ(parse(print(set)), set) << print(set);
  }
}

TEST(TaskSet, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(
      error_of("horizon 5\nsrver a 1 2\n"),
      "set.txt:2: unknown statement 'srver'; a line starts with horizon, server, work or late");
  EXPECT_EQ(error_of("server a 1 2\n"), "set.txt:1: no horizon; add a line such as 'horizon 1000'");
  EXPECT_EQ(error_of("horizon 5\nhorizon 6\n"), "set.txt:2: 'horizon' stands twice; keep one");
  EXPECT_EQ(error_of("horizon five\n"),
            "set.txt:1: horizon 'five' is not a whole number; write it in ticks, such as 25");
  EXPECT_EQ(error_of("horizon 99999999999999999999\n"),
            "set.txt:1: horizon '99999999999999999999' is not a whole number; "
            "write it in ticks, such as 25");
  EXPECT_EQ(error_of("horizon 0\n"),
            "set.txt:1: horizon 0 is out of range; choose 1 to 1000000000");
  EXPECT_EQ(error_of("horizon 5\nserver a 1\n"),
            "set.txt:2: a server needs name, budget and period; write 'server a 2 10'");
  EXPECT_EQ(error_of("horizon 5\nserver a 1 2\nserver a 1 2\n"),
            "set.txt:3: server 'a' stands twice; give it another name");
  EXPECT_EQ(error_of("horizon 5\nserver a 4 9 deadline=3\n"),
            "set.txt:2: server 'a': its budget is above its deadline "
            "(budget 4, deadline 3, period 9); change the numbers");
  EXPECT_EQ(error_of("horizon 5\nserver a 4 9 deadline=10\n"),
            "set.txt:2: server 'a': its deadline is above its period "
            "(budget 4, deadline 10, period 9); change the numbers");
  EXPECT_EQ(error_of("horizon 5\nserver a 2 9 refills=1\n"),
            "set.txt:2: refills 1 is out of range; choose 2 to 1000000000");
  EXPECT_EQ(error_of("horizon 5\nserver a 2 9 colour=3\n"),
            "set.txt:2: unknown option 'colour=3'; "
            "a server knows deadline=D refills=N background io");
  EXPECT_EQ(error_of("horizon 5\nserver a 2 9 refills=3 refills=2\n"),
            "set.txt:2: option 'refills=2' stands twice; keep one");
  EXPECT_EQ(error_of("horizon 5\nwork b 0 1\n"),
            "set.txt:2: no server 'b' so far; declare it on a line above");
  EXPECT_EQ(error_of("horizon 5\nserver a 2 9\nwork a -1 1\n"),
            "set.txt:3: instant -1 is out of range; choose 0 to 1000000000");
  EXPECT_EQ(error_of("horizon 5\nserver a 2 9\nwork a 1\n"),
            "set.txt:3: a work needs server, instant and amount; write 'work a 0 2'");
}

TEST(Generator, RepeatsForASeedAndDiffersBetweenSeeds) {
  // The sum pins the generator itself: a change here changes every recorded seed.
  std::uint64_t sum = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(generate(seed, Profile::Mixed), generate(seed, Profile::Mixed));
    EXPECT_NE(generate(seed, Profile::Mixed), generate(seed + 1, Profile::Mixed));
    for (const Work& w : generate(seed, Profile::Mixed).works) {
      sum = sum * 31 + static_cast<std::uint64_t>(w.at + w.amount);
    }
  }
  EXPECT_EQ(sum, 6687815900051999278u);
}

TEST(Generator, UunifastSharesSumToTheTotalAndLookUniform) {
  Random random(7);
  double first = 0;
  constexpr int kVectors = 20000;
  for (int i = 0; i < kVectors; ++i) {
    const std::vector<double> shares = uunifast(random, 4, 0.8);
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 0.8, 1e-12);
    for (const double share : shares) EXPECT_GE(share, 0.0);
    first += shares[0];
  }
  EXPECT_NEAR(first / kVectors, 0.2, 0.005);  // every place has the mean of a quarter
}

TEST(Generator, ReachesEveryKindOfSet) {
  int late = 0, background = 0, constrained = 0, small_lists = 0, full = 0, eight = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const TaskSet set = generate(seed, Profile::Mixed);
    late += set.late > 0;
    eight += set.servers.size() == 8;
    for (const ServerSpec& s : set.servers) {
      background += s.background;
      constrained += s.deadline < s.period;
      small_lists += s.max_refills == 2;
    }
    full += admissible(set);
  }
  for (const int count : {late, background, constrained, small_lists, full, eight}) {
    EXPECT_GT(count, 50);
  }
}

TEST(Shrink, FindsTheSmallestSetThatFails) {
  // "Fails" when server work of at least 5 in all arrives for a server with a period above 10.
  const auto fails = [](const TaskSet& set) {
    Ticks sum = 0;
    for (const Work& w : set.works) sum += set.servers[w.server].period > 10 ? w.amount : 0;
    return sum >= 5;
  };
  const TaskSet small = shrink(generate(3, Profile::Mixed), fails);
  EXPECT_EQ(small.horizon, 1);
  EXPECT_EQ(small.late, 0);
  ASSERT_EQ(small.servers.size(), 1u);
  Ticks sum = 0;
  for (const Work& w : small.works) sum += w.amount;
  EXPECT_EQ(sum, 5) << print(small);
  EXPECT_EQ(small.works.back().at, 0);
}

}  // namespace
}  // namespace hocket::test
