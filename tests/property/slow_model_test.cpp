// The reference model against schedules worked out by hand, one rule of the specification each.
#include "slow_model.h"

#include <gtest/gtest.h>

#include "response_time.h"

namespace hocket::test {
namespace {

std::string schedule(const std::string& text) {
  const TaskSet set = parse(text);
  return print(set, simulate_slowly(set));
}

TEST(SlowModel, SpinningServerGetsItsBudgetInEveryPeriod) {
  EXPECT_EQ(schedule("horizon 34\nserver a 3 10\nwork a 0 100\n"),
            "run a 0 3\nrun a 10 13\nrun a 20 23\nrun a 30 33\n"
            "response a 0 3\nresponse a 10 13\nresponse a 20 23\nresponse a 30 33\n");
}

TEST(SlowModel, WakingMovesTheHeadToNow) {
  // After [0,2): (2,2) (10,2). Waking at 7 makes the head (7,2), which does not reach 10.
  EXPECT_EQ(schedule("horizon 30\nserver a 4 10\nwork a 0 2\nwork a 7 5\n"),
            "run a 0 2\nrun a 7 9\nrun a 10 12\nrun a 17 18\n"
            "response a 0 2\nresponse a 7 9\nresponse a 10 12\nresponse a 17 18\n");
}

TEST(SlowModel, WakingMergesRefillsThatBecomeContiguous) {
  // Waking at 8 makes the head (8,2), which reaches 10: one refill (8,4).
  EXPECT_EQ(schedule("horizon 30\nserver a 4 10\nwork a 0 2\nwork a 8 5\n"),
            "run a 0 2\nrun a 8 12\nrun a 18 19\n"
            "response a 0 2\nresponse a 8 12\nresponse a 18 19\n");
}

TEST(SlowModel, OverrunIsPaidByLaterRefills) {
  // Timer due at 3 fires at 5: (10,3) pays 2, becomes (12,1) (20,2); due at 13, fires at 15; and so
  // on.
  EXPECT_EQ(schedule("horizon 30\nlate 2\nserver a 3 10\nwork a 0 100\n"),
            "run a 0 5\nrun a 12 15\nrun a 22 25\n"
            "response a 0 5\nresponse a 12 15\nresponse a 22 25\n");
}

TEST(SlowModel, OverrunCanTakeSeveralRefills) {
  // (0,1) (3,1) (6,1) after two short pieces wait: the first timer, 6 late, eats all three.
  EXPECT_EQ(
      schedule("horizon 60\nlate 6\nserver a 3 20\nwork a 0 1\nwork a 3 1\nwork a 6 1\n"
               "work a 20 50\n"),
      // [0,1) [3,4) [6,7) leave (20,1) (23,1) (26,1). At 20: due 21, fires 27; 7 used:
      // (40,1) (43,1) (46,1), then (60,1) (63,1) (66,1), then one of them: (63,1) (66,1) (80,1).
      "run a 0 1\nrun a 3 4\nrun a 6 7\nrun a 20 27\n"
      "response a 0 1\nresponse a 3 4\nresponse a 6 7\nresponse a 20 27\n");
}

TEST(SlowModel, PreemptionSplitsARefillWithoutMovingItsRelease) {
  EXPECT_EQ(
      schedule("horizon 30\nserver high 2 20 deadline=5\nserver low 5 10\n"
               "work low 0 40\nwork high 3 2\n"),
      // low: (0,5), charged 3 at the preemption: (3,2) (10,3); done at 7; (13,2) joins (10,3).
      "run low 0 3\nrun high 3 5\nrun low 5 7\nrun low 10 15\nrun low 20 25\n"
      "response high 3 5\nresponse low 0 7\nresponse low 10 15\nresponse low 20 25\n");
}

TEST(SlowModel, FullListDelaysTheTail) {
  // Room for one refill: (0,4), 2 used: head and tail are the same, delayed to (8,4).
  EXPECT_EQ(schedule("horizon 30\nserver a 4 10 refills=1\nwork a 0 2\nwork a 5 2\n"),
            "run a 0 2\nrun a 8 10\nresponse a 0 2\nresponse a 8 10\n");
  // Room for two: [0,1) [3,4) would leave (4,2) (10,1) (13,1); the tail waits for the new one:
  // (12,2).
  EXPECT_EQ(schedule("horizon 30\nserver a 4 10 refills=2\nwork a 0 1\nwork a 3 1\nwork a 6 4\n"),
            "run a 0 1\nrun a 3 4\nrun a 6 8\nrun a 12 14\n"
            "response a 0 1\nresponse a 3 4\nresponse a 6 8\nresponse a 12 14\n");
}

TEST(SlowModel, SmallHeadsMergeForward) {
  // After [0,3): (3,1) (10,3); 1 < min: (9,4).
  EXPECT_EQ(schedule("horizon 30\nserver a 4 10 min=2\nwork a 0 3\nwork a 5 1\n"),
            "run a 0 3\nrun a 9 10\nresponse a 0 3\nresponse a 9 10\n");
}

TEST(SlowModel, BackgroundTimeIsNotCharged) {
  EXPECT_EQ(schedule("horizon 30\nserver a 2 10 background\nserver b 3 20\n"
                     "work a 0 6\nwork b 3 3\nwork a 11 3\n"),
            "run a 0 2\nrun b 3 6\nrun a 11 13\n"
            "bg a 2 3\nbg a 6 9\nbg a 13 14\n"
            "response a 0 2\nresponse b 3 6\nresponse a 11 13\n");
}

TEST(SlowModel, ShorterDeadlineRanksHigherThenDeclaration) {
  EXPECT_EQ(schedule("horizon 9\nserver a 2 9\nserver b 2 9 deadline=8\nserver c 2 9\n"
                     "work a 0 2\nwork b 0 2\nwork c 0 2\n"),
            "run b 0 2\nrun a 2 4\nrun c 4 6\nresponse b 0 2\nresponse a 0 4\nresponse c 0 6\n");
}

TEST(SlowModel, FullUtilisationNeverStops) {
  EXPECT_EQ(schedule("horizon 25\nserver a 10 10\nwork a 0 100\n"),
            "run a 0 25\nresponse a 0 10\nresponse a 10 20\n");
}

TEST(SlowModel, WorkAtTheInstantOfBlockingWakesAnew) {
  EXPECT_EQ(schedule("horizon 9\nserver a 4 9\nwork a 0 2\nwork a 2 1\n"),
            "run a 0 3\nresponse a 0 2\nresponse a 2 3\n");
}

TEST(SlowModel, PreemptedInItsOverrunTheRefillEndsThere) {
  // low's timer is due at 3, would fire at 7; high comes at 5: 5 used of 3. (20,3) pays 2: (22,1).
  EXPECT_EQ(schedule("horizon 24\nlate 4\nserver high 2 40 deadline=9\nserver low 3 20\n"
                     "work low 0 50\nwork high 5 2\n"),
            "run low 0 5\nrun high 5 7\nrun low 22 24\nresponse low 0 5\nresponse high 5 7\n");
}

TEST(ResponseTime, KnownSets) {
  // Load 0.9, above Liu and Layland's 0.78 for three, admitted by the exact test.
  const TaskSet three = parse("horizon 1\nserver a 25 50\nserver b 25 75\nserver c 10 150\n");
  EXPECT_EQ(response_bound(three, 0), 25);
  EXPECT_EQ(response_bound(three, 1), 50);
  EXPECT_EQ(response_bound(three, 2), 135);
  EXPECT_TRUE(admissible(three));
  // 30 for the second one is too much: 2 * 25 + 30 = 80 > 75.
  const TaskSet more = parse("horizon 1\nserver a 25 50\nserver b 30 75\nserver c 10 150\n");
  EXPECT_EQ(response_bound(more, 1), std::nullopt);
  const TaskSet two = parse("horizon 1\nserver a 70 100\nserver b 60 100\n");
  EXPECT_EQ(response_bound(two, 1), std::nullopt);
  EXPECT_FALSE(admissible(two));
}

}  // namespace
}  // namespace hocket::test
