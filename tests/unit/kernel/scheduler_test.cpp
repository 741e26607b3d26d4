// The state machine by example: ceilings and background, which the model of tests/property does not
// have. Who pays: who_pays_test.cpp; what always holds: scheduler_invariants_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernel/sched/vcpu_policy.h"

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
  static constexpr bool kObserves = true;
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
    policy.add(entity, slot, Duration(budget), Duration(period), Instant(0));
  }
  Entity* wake_and_pick(Entity& entity, int64_t now) {
    const Wakeup answer = policy.wake(entity, Instant(now), Waker::Thread);
    return answer == Wakeup::Takes ? policy.running() : pick(now);
  }
  Wakeup wake(Entity& entity, int64_t now) {
    return policy.wake(entity, Instant(now), Waker::Interrupt);
  }
  Entity* pick(int64_t now) { return policy.pick(Instant(now), Cause::Timer); }
  /// -1: it need not be asked again by itself.
  int64_t next_event() const {
    Instant when;
    return policy.next_event(when) ? when.ticks() : -1;
  }
  void raise(Entity& entity, uint16_t slot, int64_t now, int64_t until) {
    policy.raise(entity, slot, Instant(now), Instant(until));
  }
  Entity* lower(Entity& entity, uint16_t slot, int64_t now) {
    policy.lower(entity, slot, Instant(now));
    return policy.pick(Instant(now), Cause::Call);
  }
  Policy policy;
  Entity high, middle, low, idle_time;
};

TEST_F(PolicyTest, LowerPriorityEventsNeedNoTimer) {
  EXPECT_EQ(wake_and_pick(high, 0), &high);
  policy.sleep(low, Instant(0), Instant(5));
  EXPECT_EQ(next_event(), 10);  // high's budget, not low's wake-up
  policy.block(high, Instant(8));
  EXPECT_EQ(pick(8), &low);            // its turn came
  EXPECT_EQ(low.release, Instant(5));  // as of the instant it asked for
}

TEST_F(PolicyTest, WhatAWakeUpAnswers) {
  EXPECT_EQ(wake(middle, 0), Wakeup::Takes);
  EXPECT_EQ(wake(low, 1), Wakeup::Same);
  EXPECT_EQ(wake(high, 2), Wakeup::Takes);
  EXPECT_EQ(policy.running(), &high);
  EXPECT_EQ(pick(12), &middle);
  policy.sleep(high, Instant(12), Instant(13));  // without budget until 102
  policy.block(middle, Instant(15));
  EXPECT_EQ(pick(15), &low);
  EXPECT_EQ(wake(high, 16), Wakeup::Rearm);  // it would come first, at 102
  EXPECT_EQ(next_event(), 65);
  policy.sleep(middle, Instant(16), Instant(20));
  EXPECT_EQ(policy.wake(high, Instant(21), Waker::Thread), Wakeup::Same);
  policy.block(high, Instant(21));
  EXPECT_EQ(wake(high, 103), Wakeup::Takes);  // middle is due, but comes after it
  EXPECT_EQ(policy.running(), &high);
}

TEST_F(PolicyTest, WhatBecameDueUnderALockComesFirstWhenItIsGivenBack) {
  EXPECT_EQ(wake_and_pick(middle, 0), &middle);
  policy.sleep(middle, Instant(1), Instant(10));
  EXPECT_EQ(policy.pick(Instant(1), Cause::Stop), nullptr);
  EXPECT_EQ(wake_and_pick(low, 2), &low);
  raise(low, 2, 3, 40);
  EXPECT_EQ(pick(12), &low);                 // middle is due, and comes after the holder
  EXPECT_EQ(wake(high, 13), Wakeup::Takes);  // it takes no part in this
  policy.sleep(high, Instant(14), Instant(90));
  EXPECT_EQ(policy.pick(Instant(14), Cause::Stop), &low);
  EXPECT_EQ(lower(low, 4, 15), &middle);
}

TEST_F(PolicyTest, OnlyTheTimerOrALateInterruptEndsABudget) {
  EXPECT_EQ(wake_and_pick(high, 0), &high);
  EXPECT_EQ(policy.pick(Instant(9), Cause::Interrupt), &high);
  EXPECT_EQ(policy.pick(Instant(10), Cause::Interrupt), nullptr);
}

TEST_F(PolicyTest, OthersThatAreDueComeFirst) {
  EXPECT_EQ(wake_and_pick(low, 0), &low);
  policy.sleep(high, Instant(0), Instant(20));
  EXPECT_EQ(wake(middle, 20), Wakeup::Decide);  // the timer's interrupt will come, late
  EXPECT_EQ(pick(20), &high);
}

TEST_F(PolicyTest, AHolderCompetesAtTheCeiling) {
  EXPECT_EQ(wake_and_pick(low, 0), &low);
  raise(low, 2, 0, 40);
  EXPECT_EQ(wake(middle, 1), Wakeup::Same);
  EXPECT_EQ(wake_and_pick(high, 2), &high);  // above the ceiling
  policy.block(high, Instant(4));
  EXPECT_EQ(pick(4), &low);  // middle is kept out though it was ready first
  EXPECT_EQ(lower(low, 4, 5), &middle);
}

TEST_F(PolicyTest, AHolderMayOverrunUntilItsLimit) {
  EXPECT_EQ(wake_and_pick(middle, 0), &middle);
  raise(middle, 2, 0, 30);
  EXPECT_EQ(next_event(), 30);  // its budget ends at 10
  EXPECT_EQ(pick(30), nullptr);
  EXPECT_FALSE(middle.raised());
  // It took 30 with a budget of 10 per 200: three periods are paid for.
  EXPECT_EQ(middle.server.time(), Instant(600));
}

TEST_F(PolicyTest, AHolderThatOverranPaysWhenItGivesBack) {
  EXPECT_EQ(wake_and_pick(middle, 0), &middle);
  raise(middle, 2, 0, 30);
  EXPECT_EQ(lower(middle, 3, 14), nullptr);
  EXPECT_EQ(middle.server.time(), Instant(204));  // 4 of the next refill are used as well
}

TEST_F(PolicyTest, NestedCeilings) {
  EXPECT_EQ(wake_and_pick(low, 0), &low);
  raise(low, 2, 0, 40);
  raise(low, 0, 0, 60);
  EXPECT_EQ(low.slot, 0);
  EXPECT_EQ(next_event(), 40);  // the outer lock's limit
  raise(low, 2, 0, 90);         // not higher: nothing happens
  EXPECT_EQ(low.slot, 0);
  EXPECT_EQ(wake(high, 1), Wakeup::Same);
  EXPECT_EQ(lower(low, 2, 1), &high);
  EXPECT_EQ(low.slot, 2);
  policy.block(high, Instant(2));
  EXPECT_EQ(pick(2), &low);
  EXPECT_EQ(lower(low, 4, 3), &low);
  EXPECT_FALSE(low.raised());
}

TEST_F(PolicyTest, BlockingGivesACeilingBack) {
  EXPECT_EQ(wake_and_pick(low, 0), &low);
  raise(low, 2, 0, 40);
  policy.block(low, Instant(5));
  EXPECT_FALSE(low.raised());
  EXPECT_EQ(wake_and_pick(low, 6), &low);
  EXPECT_EQ(low.slot, 4);
}

TEST_F(PolicyTest, BestEffortGetsIdleTimeOnly) {
  EXPECT_EQ(wake_and_pick(idle_time, 0), &idle_time);
  EXPECT_TRUE(policy.running_in_background());
  EXPECT_EQ(next_event(), -1);
  EXPECT_EQ(wake(high, 3), Wakeup::Takes);
  EXPECT_EQ(pick(13), &idle_time);  // high has used its budget
  EXPECT_EQ(next_event(), 103);
}

TEST_F(PolicyTest, ABestEffortHolderCompetesUncharged) {
  EXPECT_EQ(wake_and_pick(idle_time, 0), &idle_time);
  raise(idle_time, 2, 0, 40);
  EXPECT_EQ(next_event(), 40);  // its place has changed
  EXPECT_EQ(pick(1), &idle_time);
  EXPECT_EQ(wake_and_pick(middle, 2), &idle_time);  // kept out by the ceiling
  EXPECT_EQ(wake_and_pick(high, 3), &high);
  policy.block(high, Instant(6));
  EXPECT_EQ(pick(6), &idle_time);
  EXPECT_EQ(pick(40), &middle);  // held on too long
  EXPECT_FALSE(idle_time.raised());
  policy.block(middle, Instant(45));
  EXPECT_EQ(pick(45), &idle_time);
  EXPECT_TRUE(policy.running_in_background());
}

TEST_F(PolicyTest, ABestEffortHolderIsBackInIdleTimeAfterwards) {
  EXPECT_EQ(wake_and_pick(idle_time, 0), &idle_time);
  raise(idle_time, 2, 0, 40);
  EXPECT_EQ(wake(middle, 2), Wakeup::Same);
  EXPECT_EQ(lower(idle_time, 5, 3), &middle);
  policy.block(middle, Instant(5));
  EXPECT_EQ(pick(5), &idle_time);
  EXPECT_TRUE(policy.running_in_background());
}

TEST_F(PolicyTest, BackgroundTimeIsNotCharged) {
  low.background = true;
  EXPECT_EQ(wake_and_pick(low, 0), &low);
  EXPECT_EQ(pick(50), &low);
  EXPECT_TRUE(policy.running_in_background());
  EXPECT_EQ(pick(300), &low);
  EXPECT_FALSE(policy.running_in_background());
  EXPECT_EQ(low.server.rest(), Duration(50));
}

TEST_F(PolicyTest, ALockInIdleTimeIsPaidByWhatComesBack) {
  low.background = true;
  EXPECT_EQ(wake_and_pick(low, 0), &low);
  policy.block(low, Instant(10));
  EXPECT_EQ(wake_and_pick(low, 20), &low);
  policy.block(low, Instant(60));
  EXPECT_EQ(wake_and_pick(low, 70), &low);
  EXPECT_TRUE(policy.running_in_background());
  EXPECT_EQ(low.server.time(), Instant(300));  // the first 10, and 40 at 320
  raise(low, 2, 71, 100);
  EXPECT_EQ(lower(low, 4, 75), &low);
  EXPECT_TRUE(policy.running_in_background());
  EXPECT_EQ(low.server.time(), Instant(310));  // 10 that wait for 10 lose less than an activation
  EXPECT_EQ(low.server.consumed(), Duration(4));
  EXPECT_EQ(pick(310), &low);
  EXPECT_FALSE(policy.running_in_background());
  EXPECT_EQ(next_event(), 310 + 46);
  EXPECT_EQ(pick(356), &low);
  EXPECT_TRUE(policy.running_in_background());
  EXPECT_EQ(low.server.time(), Instant(610));
}

TEST_F(PolicyTest, AThrottledSleeperWakesWithItsBudget) {
  EXPECT_EQ(wake_and_pick(high, 0), &high);
  policy.sleep(high, Instant(10), Instant(20));  // its whole budget is used
  EXPECT_EQ(pick(20), nullptr);
  EXPECT_EQ(next_event(), 100);
  EXPECT_EQ(pick(100), &high);
}

TEST_F(PolicyTest, WakingAnOverdueSleeperCountsFromItsOwnInstant) {
  EXPECT_EQ(wake_and_pick(high, 0), &high);
  policy.sleep(low, Instant(0), Instant(5));
  EXPECT_EQ(wake(low, 8), Wakeup::Same);
  EXPECT_EQ(low.release, Instant(5));
}

TEST_F(PolicyTest, WakingAReadyOneChangesNothing) {
  EXPECT_EQ(wake_and_pick(high, 0), &high);
  EXPECT_EQ(pick(10), nullptr);  // out of budget until 100
  EXPECT_EQ(wake(high, 50), Wakeup::Same);
  EXPECT_EQ(high.server.time(), Instant(100));
  low.background = true;
  EXPECT_EQ(wake_and_pick(low, 60), &low);
  EXPECT_EQ(wake(low, 61), Wakeup::Same);  // not twice in the background list
}

TEST_F(PolicyTest, SleepersWithoutBudgetNeedNoTimer) {
  EXPECT_EQ(wake_and_pick(high, 0), &high);
  policy.sleep(high, Instant(10), Instant(60));
  EXPECT_EQ(wake_and_pick(middle, 10), &middle);
  policy.sleep(middle, Instant(20), Instant(60));
  EXPECT_EQ(wake_and_pick(low, 20), &low);
  policy.sleep(low, Instant(70), Instant(75));
  EXPECT_EQ(pick(70), nullptr);
  EXPECT_EQ(next_event(), 100);  // high's refill, not the ends of three sleeps
}

TEST_F(PolicyTest, EachEndOfABudgetIsReportedOnce) {
  Reports::released = Reports::responded = Reports::exhausted = 0;
  wake(high, 0);
  wake(low, 0);
  EXPECT_EQ(pick(0), &high);
  EXPECT_EQ(pick(10), &low);
  EXPECT_EQ(pick(60), nullptr);
  EXPECT_EQ(pick(100), &high);
  EXPECT_EQ(Reports::exhausted, 2u);
  EXPECT_EQ(Reports::responded, 2u);
  EXPECT_EQ(Reports::released, 4u);  // two wake-ups, two refills to come
}

/// A loop of C = 4, T = 10 gets work for 3 and for 6, below one that takes 2 of every 5.
TEST(SchedulerExample, WorkedExample) {
  Policy policy;
  Entity h, s;
  policy.reset(2);
  policy.add(h, 0, Duration(2), Duration(5), Instant(0));
  policy.add(s, 1, Duration(4), Duration(10), Instant(0));
  using Refills = std::vector<std::pair<int64_t, int64_t>>;
  const auto refills = [&] {
    Refills result;
    for (unsigned i = 0; i < s.server.count(); ++i) {
      result.emplace_back(s.server[i].time.ticks(), s.server[i].amount.ticks());
    }
    return result;
  };
  std::vector<Entity*> ran;  // in each unit of time
  for (int64_t now = 0; now < 25; ++now) {
    if (now % 5 == 0) static_cast<void>(policy.wake(h, Instant(now), Waker::Interrupt));
    if (now == 1 || now == 11) static_cast<void>(policy.wake(s, Instant(now), Waker::Interrupt));
    if (now == 11) EXPECT_EQ(refills(), (Refills{{11, 4}}));
    if (now == 5 || now == 24) policy.block(s, Instant(now));
    if (now == 5) EXPECT_EQ(refills(), (Refills{{1, 4}}));
    if (now == 5) EXPECT_EQ(s.server.consumed(), Duration(3));
    if (now % 5 == 2) policy.block(h, Instant(now));
    ran.push_back(policy.pick(Instant(now), Cause::Timer));
    if (now == 15) EXPECT_EQ(s.server.consumed(), Duration(3));
    if (now == 18) EXPECT_EQ(refills(), (Refills{{21, 4}}));
  }
  EXPECT_EQ(s.server.consumed(), Duration(2));
  for (const int64_t now : {2, 3, 4, 12, 13, 14, 17, 22, 23}) EXPECT_EQ(ran.at(now), &s) << now;
  EXPECT_EQ(std::count(ran.begin(), ran.end(), &s), 9);
}

}  // namespace
}  // namespace hocket
