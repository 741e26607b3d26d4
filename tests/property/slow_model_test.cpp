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
  // After [0,2), waking at 7 puts the use down and makes the head (7,2), which does not reach
  // (10,2). [7,9) comes back at 17. At 12 both (17,2) and (20,2) are to come: 1 · 2 < 10 - 4, so
  // (18,4).
  EXPECT_EQ(schedule("horizon 30\nserver a 4 10\nwork a 0 2\nwork a 7 5\n"),
            "run a 0 2\nrun a 7 9\nrun a 10 12\nrun a 18 19\n"
            "response a 0 2\nresponse a 7 9\nresponse a 10 12\nresponse a 18 19\n");
}

TEST(SlowModel, AShortSleepMovesWhatWasUsed) {
  // T / 256 = 2. Woken at 102, the 100 used count as [2,102), and come back with the rest at 514.
  EXPECT_EQ(schedule("horizon 630\nserver a 300 512\nwork a 0 100\nwork a 102 900\n"),
            "run a 0 100\nrun a 102 302\nrun a 514 630\nresponse a 0 100\nresponse a 102 302\n");
  // One tick later they are put down: (103,200) (512,100).
  EXPECT_EQ(schedule("horizon 630\nserver a 300 512\nwork a 0 100\nwork a 103 900\n"),
            "run a 0 100\nrun a 103 303\nrun a 512 612\nrun a 615 630\n"
            "response a 0 100\nresponse a 103 303\nresponse a 512 612\n");
}

TEST(SlowModel, ShortSleepsAddUp) {
  // Woken at 112 the head is (2,310), 110 used. Woken at 115 it would be 4 late: (115,199)
  // (514,111).
  EXPECT_EQ(schedule("horizon 630\nserver a 310 512\nwork a 0 110\nwork a 112 1\nwork a 115 900\n"),
            "run a 0 110\nrun a 112 113\nrun a 115 314\nrun a 514 625\nrun a 627 630\n"
            "response a 0 110\nresponse a 112 113\nresponse a 115 314\nresponse a 514 625\n");
}

TEST(SlowModel, MoreThanHalfAPeriodIsPutDownHoweverShortTheSleep) {
  // 256 may be moved to [1,257), 257 may not.
  EXPECT_EQ(schedule("horizon 600\nserver a 300 512\nwork a 0 256\nwork a 257 100\n"),
            "run a 0 256\nrun a 257 301\nrun a 513 569\n"
            "response a 0 256\nresponse a 257 301\nresponse a 513 569\n");
  EXPECT_EQ(schedule("horizon 600\nserver a 300 512\nwork a 0 257\nwork a 258 100\n"),
            "run a 0 257\nrun a 258 301\nrun a 512 569\n"
            "response a 0 257\nresponse a 258 301\nresponse a 512 569\n");
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

TEST(SlowModel, PreemptionMovesNoRelease) {
  EXPECT_EQ(schedule("horizon 30\nserver high 2 20 deadline=5\nserver low 5 10\n"
                     "work low 0 40\nwork high 3 2\n"),
            // low: (0,5), 3 used at the preemption, all at 7: (10,5).
            "run low 0 3\nrun high 3 5\nrun low 5 7\nrun low 10 15\nrun low 20 25\n"
            "response high 3 5\nresponse low 0 7\nresponse low 10 15\nresponse low 20 25\n");
}

TEST(SlowModel, AFullListJoinsThePairThatLosesLeast) {
  // Room for two: [0,1) [3,4) would leave (6,2) (10,1) (13,1) at 6; the only pair behind the head
  // is joined: (12,2). [6,8) comes back at 16, and 2 · 2 < 10 - 4: (14,4).
  EXPECT_EQ(schedule("horizon 30\nserver a 4 10 refills=2\nwork a 0 1\nwork a 3 1\nwork a 6 4\n"),
            "run a 0 1\nrun a 3 4\nrun a 6 8\nrun a 14 16\n"
            "response a 0 1\nresponse a 3 4\nresponse a 6 8\nresponse a 14 16\n");
  // Room for three: (60,9) (100,1) (120,3) (150,1) at 60: 19 · 1 < 27 · 3, so the first pair is
  // joined, not the newest: (119,4). At 123, (150,1) waits for (160,9): 9 · 1 < 100 - 14.
  EXPECT_EQ(schedule("horizon 230\nserver a 14 100 refills=3\n"
                     "work a 0 1\nwork a 20 3\nwork a 50 1\nwork a 60 30\n"),
            "run a 0 1\nrun a 20 23\nrun a 50 51\nrun a 60 69\n"
            "run a 119 123\nrun a 159 169\nrun a 219 223\n"
            "response a 0 1\nresponse a 20 23\nresponse a 50 51\nresponse a 60 69\n"
            "response a 119 123\nresponse a 159 169\nresponse a 219 223\n");
}

TEST(SlowModel, ACrumbWaitsWhereThatLosesLessThanAnActivation) {
  // [0,1) and [5,8) come back at 20 and 25. At 8: 4 · 1 < 20 - 4, so both wait for 24. With a gap
  // of 16 nothing waits.
  EXPECT_EQ(schedule("horizon 30\nserver a 4 20\nwork a 0 1\nwork a 5 9\n"),
            "run a 0 1\nrun a 5 8\nrun a 24 28\n"
            "response a 0 1\nresponse a 5 8\nresponse a 24 28\n");
  EXPECT_EQ(schedule("horizon 40\nserver a 4 20\nwork a 0 1\nwork a 17 9\n"),
            "run a 0 1\nrun a 17 21\nrun a 37 40\nresponse a 0 1\nresponse a 17 21\n");
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
