// The deadline order, by example.
#include "kernel/sched/deadline_policy.h"

#include <gtest/gtest.h>

namespace hocket {
namespace {

using Policy = DeadlinePolicy<int64_t, 8, 4>;
using Entity = Policy::Entity;
using Instant = Policy::Instant;
using Duration = Policy::Duration;
static_assert(policy::check<Policy>());

class DeadlineOrderTest : public ::testing::Test {
 protected:
  DeadlineOrderTest() {
    policy.reset(8);
    policy.add(often, 1, Duration(25), Duration(50), Instant(0));
    policy.add(seldom, 2, Duration(33), Duration(70), Instant(0));
  }
  Wakeup wake(Entity& entity, int64_t now) {
    return policy.wake(entity, Instant(now), Waker::Interrupt);
  }
  Entity* pick(int64_t now) { return policy.pick(Instant(now), Cause::Timer); }

  Policy policy;
  Entity often, seldom;
};

TEST_F(DeadlineOrderTest, WhatIsDueFirstComesFirst) {
  EXPECT_EQ(wake(seldom, 0), Wakeup::Takes);
  EXPECT_EQ(wake(often, 0), Wakeup::Takes);  // due at 50, not at 70
  EXPECT_EQ(pick(25), &seldom);
  EXPECT_EQ(pick(50), &seldom);  // due at 70; the other one's second budget at 100
  EXPECT_EQ(pick(58), &often);
  EXPECT_EQ(pick(83), &seldom);  // due at 140, as the third one at 150
}

TEST_F(DeadlineOrderTest, ALaterWakeUpIsDueLater) {
  EXPECT_EQ(wake(seldom, 0), Wakeup::Takes);
  EXPECT_EQ(wake(often, 30), Wakeup::Same);  // due at 80, not at 70
  EXPECT_EQ(pick(33), &often);
}

TEST_F(DeadlineOrderTest, WhatIsLeftAfterANapKeepsItsDeadline) {
  EXPECT_EQ(wake(seldom, 0), Wakeup::Takes);
  policy.sleep(seldom, Instant(10), Instant(11));
  EXPECT_EQ(pick(11), &seldom);
  EXPECT_EQ(wake(often, 15), Wakeup::Takes);
  policy.block(often, Instant(16));
  EXPECT_EQ(pick(16), &seldom);
  EXPECT_EQ(wake(often, 25), Wakeup::Same);  // due at 74 or later; seldom at 71
}

TEST_F(DeadlineOrderTest, AHolderComesBeforeAll) {
  EXPECT_EQ(wake(seldom, 0), Wakeup::Takes);
  policy.raise(seldom, 0, Instant(0), Instant(20));
  EXPECT_EQ(wake(often, 1), Wakeup::Same);
  policy.lower(seldom, 2, Instant(5));
  EXPECT_EQ(policy.pick(Instant(5), Cause::Call), &often);
}

TEST_F(DeadlineOrderTest, WhatBecameDueUnderALockComesFirstWhenItIsGivenBack) {
  EXPECT_EQ(wake(often, 0), Wakeup::Takes);
  policy.sleep(often, Instant(1), Instant(10));
  EXPECT_EQ(pick(1), nullptr);
  EXPECT_EQ(wake(seldom, 1), Wakeup::Takes);
  policy.raise(seldom, 0, Instant(2), Instant(30));
  Instant timer{};
  EXPECT_TRUE(policy.next_event(timer));
  EXPECT_EQ(timer, Instant(30));  // nothing comes before the holder
  EXPECT_EQ(pick(12), &seldom);
  policy.lower(seldom, 2, Instant(15));
  EXPECT_EQ(policy.pick(Instant(15), Cause::Call), &often);  // due at 60 or before, not at 71
}

}  // namespace
}  // namespace hocket
