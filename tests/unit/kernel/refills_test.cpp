// The refill list by example; its behaviour in schedules is tested against a model
// (tests/property).
#include "kernel/sched/refills.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "check_failed.h"

namespace hocket {
namespace {

using Refills = RefillList<int64_t, 4>;
using Instant = Refills::Instant;
using Duration = Refills::Duration;
using Pairs = std::vector<std::pair<int64_t, int64_t>>;

Refills make(int64_t budget, int64_t period, int64_t minimum = 1, unsigned limit = 4) {
  Refills refills;
  refills.reset(Duration(budget), Duration(period), Instant(0), Duration(minimum), limit);
  return refills;
}

Pairs pairs(const Refills& refills) {
  Pairs result;
  for (unsigned i = 0; i < refills.count(); ++i) {
    result.emplace_back(refills[i].time.ticks(), refills[i].amount.ticks());
  }
  return result;
}

TEST(Refills, WhatIsUsedComesBackOnePeriodLater) {
  Refills refills = make(10, 100);
  EXPECT_FALSE(refills.charge(Duration(4)));
  EXPECT_EQ(pairs(refills), (Pairs{{4, 6}, {100, 4}}));
  EXPECT_TRUE(refills.charge(Duration(6)));
  EXPECT_EQ(pairs(refills), (Pairs{{100, 10}}));
}

TEST(Refills, AnOverrunIsPaidByLaterRefills) {
  Refills refills = make(10, 100);
  EXPECT_TRUE(refills.charge(Duration(25)));
  EXPECT_EQ(pairs(refills), (Pairs{{205, 5}, {300, 5}}));
}

TEST(Refills, UnblockingStartsTheHeadAnewAndJoinsWhatTouches) {
  Refills refills = make(10, 100);
  refills.charge(Duration(4));
  refills.unblock(Instant(50));
  EXPECT_EQ(pairs(refills), (Pairs{{50, 6}, {100, 4}}));
  refills.unblock(Instant(95));
  EXPECT_EQ(pairs(refills), (Pairs{{95, 10}}));
  refills.unblock(Instant(20));  // the past changes nothing
  EXPECT_EQ(pairs(refills), (Pairs{{95, 10}}));
}

TEST(Refills, AFullListDelaysItsTail) {
  Refills refills = make(10, 100, 1, 2);
  refills.charge(Duration(2));
  refills.unblock(Instant(20));
  refills.charge(Duration(3));  // would be a third refill, at 120
  EXPECT_EQ(pairs(refills), (Pairs{{23, 5}, {118, 5}}));
}

TEST(Refills, SmallHeadsAreJoinedToTheNext) {
  Refills refills = make(10, 100, 3);
  refills.charge(Duration(8));
  EXPECT_EQ(pairs(refills), (Pairs{{8, 2}, {100, 8}}));
  refills.merge_small_head();
  EXPECT_EQ(pairs(refills), (Pairs{{98, 10}}));
}

// Whatever is done, the list's own checks hold (HOCKET_CHECKED): sum, order, no overlap.
RC_GTEST_PROP(Refills, InvariantsHold, (const std::vector<std::pair<bool, unsigned char>>& steps)) {
  const auto budget = *rc::gen::inRange<int64_t>(1, 60);
  const auto period = budget + *rc::gen::inRange<int64_t>(0, 200);
  const auto minimum = *rc::gen::inRange<int64_t>(1, budget + 1);
  Refills refills = make(budget, period, minimum, *rc::gen::inRange(2u, 5u));
  int64_t now = 0;
  for (const auto& [charges, amount] : steps) {
    if (charges) {
      refills.charge(Duration(amount));
      refills.merge_small_head();
    } else {
      now += amount;
      refills.unblock(Instant(now));
    }
  }
}

}  // namespace
}  // namespace hocket
