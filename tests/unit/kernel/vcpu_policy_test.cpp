// The policy's ceilings and background, which the model of tests/property does not have.
#include "kernel/sched/vcpu_policy.h"

#include <gtest/gtest.h>

namespace hocket {
namespace {

struct CountingObserver;
using Policy = VcpuPolicy<int64_t, 8, 4, CountingObserver>;
using Entity = Policy::Entity;
using Instant = Policy::Instant;
using Duration = Policy::Duration;

/// Counts what the policy reports.
struct Reports {
  static inline unsigned released = 0;
  static inline unsigned responded = 0;
  static inline unsigned exhausted = 0;
};
struct CountingObserver {
  template <class Entity, class Instant>
  static void released(Entity&, Instant) {
    ++Reports::released;
  }
  template <class Entity, class Instant>
  static void responded(Entity&, Instant, Instant) {
    ++Reports::responded;
  }
  template <class Entity, class Instant>
  static void exhausted(Entity&, Instant, Instant) {
    ++Reports::exhausted;
  }
};

class PolicyTest : public ::testing::Test {
 protected:
  // Slots: 0 ceiling, 1 high, 2 ceiling of middle's lock, 3 middle, 4 low, 5 best-effort.
  void SetUp() override {
    policy.reset(6);
    add(high, 1, 10, 100);
    add(middle, 3, 10, 200);
    add(low, 4, 50, 300);
    policy.add_best_effort(idle_time, 5);
  }
  void add(Entity& entity, uint16_t slot, int64_t budget, int64_t period) {
    policy.add(entity, slot, Duration(budget), Duration(period), Duration(1), Instant(0));
  }
  Entity* wake_and_pick(Entity& entity, int64_t now) {
    policy.wake(entity, Instant(now));
    return policy.pick(Instant(now));
  }
  Policy policy;
  Entity high, middle, low, idle_time;
};

TEST_F(PolicyTest, LowerPriorityEventsNeedNoTimer) {
  EXPECT_EQ(wake_and_pick(high, 0), &high);
  policy.sleep(low, Instant(0), Instant(5));
  EXPECT_EQ(policy.next_event(), Instant(10));  // high's budget, not low's wake-up
  policy.block(high, Instant(8));
  EXPECT_EQ(policy.pick(Instant(8)), &low);  // its turn came
  EXPECT_EQ(low.release, Instant(5));        // as of the instant it asked for
}

TEST_F(PolicyTest, AHolderCompetesAtTheCeiling) {
  EXPECT_EQ(wake_and_pick(low, 0), &low);
  policy.raise(low, 2, Instant(40));
  EXPECT_EQ(policy.wake(middle, Instant(1)), WakeEffect::None);
  EXPECT_EQ(wake_and_pick(high, 2), &high);  // above the ceiling
  policy.block(high, Instant(4));
  EXPECT_EQ(policy.pick(Instant(4)), &low);  // middle is kept out though it was ready first
  policy.lower(low, 4, Instant(0));
  EXPECT_EQ(policy.pick(Instant(5)), &middle);
}

TEST_F(PolicyTest, AHolderMayOverrunUntilItsLimit) {
  EXPECT_EQ(wake_and_pick(middle, 0), &middle);
  policy.raise(middle, 2, Instant(30));
  EXPECT_EQ(policy.next_event(), Instant(30));  // its budget ends at 10
  EXPECT_EQ(policy.pick(Instant(30)), nullptr);
  EXPECT_FALSE(middle.raised());
  // It took 30 with a budget of 10 per 200: three periods are paid for.
  EXPECT_EQ(middle.refills.head().time, Instant(600));
}

TEST_F(PolicyTest, NestedCeilings) {
  EXPECT_EQ(wake_and_pick(low, 0), &low);
  policy.raise(low, 2, Instant(40));
  policy.raise(low, 0, Instant(20));
  EXPECT_EQ(low.slot, 0);
  policy.raise(low, 2, Instant(90));  // not higher: nothing happens
  EXPECT_EQ(low.slot, 0);
  policy.lower(low, 2, Instant(40));
  EXPECT_EQ(low.slot, 2);
  EXPECT_EQ(wake_and_pick(high, 1), &high);
  policy.block(high, Instant(2));
  EXPECT_EQ(policy.pick(Instant(2)), &low);
  policy.lower(low, 4, Instant(0));
  EXPECT_FALSE(low.raised());
}

TEST_F(PolicyTest, BlockingGivesACeilingBack) {
  EXPECT_EQ(wake_and_pick(low, 0), &low);
  policy.raise(low, 2, Instant(40));
  policy.block(low, Instant(5));
  EXPECT_FALSE(low.raised());
  EXPECT_EQ(wake_and_pick(low, 6), &low);
  EXPECT_EQ(low.slot, 4);
}

TEST_F(PolicyTest, BestEffortGetsIdleTimeOnly) {
  EXPECT_EQ(wake_and_pick(idle_time, 0), &idle_time);
  EXPECT_TRUE(policy.running_in_background());
  EXPECT_EQ(policy.next_event(), Instant::never());
  EXPECT_EQ(policy.wake(high, Instant(3)), WakeEffect::Decide);
  EXPECT_EQ(policy.pick(Instant(3)), &high);
  EXPECT_EQ(policy.pick(Instant(13)), &idle_time);  // high has used its budget
  EXPECT_EQ(policy.next_event(), Instant(103));
}

TEST_F(PolicyTest, ABestEffortHolderCompetesUncharged) {
  EXPECT_EQ(wake_and_pick(idle_time, 0), &idle_time);
  policy.raise(idle_time, 2, Instant(40));
  EXPECT_EQ(policy.next_event(), Instant(0));  // its place has changed: to be asked again at once
  EXPECT_EQ(policy.pick(Instant(1)), &idle_time);
  EXPECT_EQ(wake_and_pick(middle, 2), &idle_time);  // kept out by the ceiling
  EXPECT_EQ(wake_and_pick(high, 3), &high);
  policy.block(high, Instant(6));
  EXPECT_EQ(policy.pick(Instant(6)), &idle_time);
  EXPECT_EQ(policy.pick(Instant(40)), &middle);  // held on too long
  EXPECT_FALSE(idle_time.raised());
  policy.block(middle, Instant(45));
  EXPECT_EQ(policy.pick(Instant(45)), &idle_time);
  EXPECT_TRUE(policy.running_in_background());
}

TEST_F(PolicyTest, BackgroundTimeIsNotCharged) {
  low.background = true;
  EXPECT_EQ(wake_and_pick(low, 0), &low);
  EXPECT_EQ(policy.pick(Instant(50)), &low);
  EXPECT_TRUE(policy.running_in_background());
  EXPECT_EQ(policy.pick(Instant(300)), &low);
  EXPECT_FALSE(policy.running_in_background());
  EXPECT_EQ(low.refills.head().amount, Duration(50));
}

TEST_F(PolicyTest, AThrottledSleeperWakesWithItsBudget) {
  EXPECT_EQ(wake_and_pick(high, 0), &high);
  policy.sleep(high, Instant(10), Instant(20));  // its whole budget is used
  EXPECT_EQ(policy.pick(Instant(20)), nullptr);
  EXPECT_EQ(policy.next_event(), Instant(100));
  EXPECT_EQ(policy.pick(Instant(100)), &high);
}

TEST_F(PolicyTest, WakingAnOverdueSleeperCountsFromItsOwnInstant) {
  EXPECT_EQ(wake_and_pick(high, 0), &high);
  policy.sleep(low, Instant(0), Instant(5));
  EXPECT_EQ(policy.wake(low, Instant(8)), WakeEffect::None);
  EXPECT_EQ(low.release, Instant(5));
}

TEST_F(PolicyTest, WakingAReadyOneChangesNothing) {
  EXPECT_EQ(wake_and_pick(high, 0), &high);
  EXPECT_EQ(policy.pick(Instant(10)), nullptr);  // out of budget until 100
  EXPECT_EQ(policy.wake(high, Instant(50)), WakeEffect::None);
  EXPECT_EQ(high.refills.head().time, Instant(100));
  low.background = true;
  EXPECT_EQ(wake_and_pick(low, 60), &low);
  EXPECT_EQ(policy.wake(low, Instant(61)), WakeEffect::None);  // not twice in the background list
}

TEST_F(PolicyTest, SleepersWithoutBudgetNeedNoTimer) {
  EXPECT_EQ(wake_and_pick(high, 0), &high);
  policy.sleep(high, Instant(10), Instant(60));
  EXPECT_EQ(wake_and_pick(middle, 10), &middle);
  policy.sleep(middle, Instant(20), Instant(60));
  EXPECT_EQ(wake_and_pick(low, 20), &low);
  policy.sleep(low, Instant(70), Instant(75));
  EXPECT_EQ(policy.pick(Instant(70)), nullptr);
  EXPECT_EQ(policy.next_event(), Instant(100));  // high's refill, not the ends of three sleeps
}
TEST_F(PolicyTest, EachEndOfABudgetIsReportedOnce) {
  Reports::released = Reports::responded = Reports::exhausted = 0;
  policy.wake(high, Instant(0));
  policy.wake(low, Instant(0));
  EXPECT_EQ(policy.pick(Instant(0)), &high);
  EXPECT_EQ(policy.pick(Instant(10)), &low);
  EXPECT_EQ(policy.pick(Instant(60)), nullptr);
  EXPECT_EQ(policy.pick(Instant(100)), &high);
  EXPECT_EQ(Reports::exhausted, 2u);
  EXPECT_EQ(Reports::responded, 2u);
  EXPECT_EQ(Reports::released, 4u);  // two wake-ups, two refills to come
}

}  // namespace
}  // namespace hocket
