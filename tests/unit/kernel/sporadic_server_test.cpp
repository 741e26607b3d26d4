// The sporadic server by example: the rules 6 to 9 of docs/decisions/who-pays.md. Against a plain
// list, and what it promises: sporadic_server_promise_test.cpp; its behaviour in schedules:
// tests/property.
#include "kernel/sched/sporadic_server.h"

#include <gtest/gtest.h>

#include "kernel/sched/charges.h"
#include "small_server.h"

namespace hocket::small_server {
namespace {

TEST(SporadicServer, WhatIsUsedIsOneNumberUntilTheHeadEnds) {
  Small server = make(10, 100);
  server.consume(Duration(4));
  EXPECT_EQ(pairs(server), (Pairs{{0, 10}}));
  EXPECT_EQ(server.rest(), Duration(6));
  server.stop(Duration(1));
  EXPECT_EQ(pairs(server), (Pairs{{0, 10}}));  // nothing has ended
  server.consume(Duration(6));
  server.stop(Duration(1));
  EXPECT_EQ(pairs(server), (Pairs{{100, 10}}));
  EXPECT_EQ(server.consumed(), Duration(0));
}

TEST(SporadicServer, AnOverrunIsPaidByLaterRefills) {
  Small server = make(10, 100);
  server.consume(Duration(25));
  EXPECT_EQ(server.rest(), Duration(-15));
  server.stop(Duration(1));
  EXPECT_EQ(pairs(server), (Pairs{{205, 5}, {300, 5}}));
}

TEST(SporadicServer, WakingStartsAFreshHeadAnewAndThePastChangesNothing) {
  Small server = make(10, 100);
  wake(server, Instant(50));
  EXPECT_EQ(pairs(server), (Pairs{{50, 10}}));
  wake(server, Instant(20));
  EXPECT_EQ(pairs(server), (Pairs{{50, 10}}));
}

TEST(SporadicServer, Rule6SmallHeadsAreJoinedToTheNext) {
  Small server = make(10, 100);
  server.consume(Duration(8));
  server.stop(Duration(2));
  EXPECT_EQ(pairs(server), (Pairs{{0, 10}}));  // a rest of 2 is worth it
  server.stop(Duration(3));
  EXPECT_EQ(pairs(server), (Pairs{{98, 10}}));  // so late that it does not overlap what follows
}

TEST(SporadicServer, Rule7ShortSleepsMoveWhatWasUsed) {
  Small server = make(100, 1280);  // the head may move by 1280 / 64 = 20 in all
  server.consume(Duration(10));
  wake(server, Instant(22));  // slept from 10 to 22
  EXPECT_EQ(pairs(server), (Pairs{{12, 100}}));
  EXPECT_EQ(server.consumed(), Duration(10));
  server.consume(Duration(5));
  wake(server, Instant(35));  // from 27 to 35: 20 in all
  EXPECT_EQ(pairs(server), (Pairs{{20, 100}}));
  wake(server, Instant(36));  // one more: what was used since 20 is put down
  EXPECT_EQ(pairs(server), (Pairs{{36, 85}, {1300, 15}}));
  EXPECT_EQ(server.consumed(), Duration(0));
  server.consume(Duration(1));
  wake(server, Instant(57));  // and the head may move anew
  EXPECT_EQ(pairs(server), (Pairs{{56, 85}, {1300, 15}}));
}

TEST(SporadicServer, Rule7IsFinerWithMoreRefills) {
  static_assert(Small::kSpread == 6 && SporadicServer<int64_t, 16>::kSpread == 8);
  static_assert(1u << SporadicServer<int32_t, 3>::kSpread == kPiecesOnSmallProcessor);
  SporadicServer<int64_t, 16> server;
  server.reset(Duration(100), Duration(1280), Instant(0));
  server.consume(Duration(10));
  wake(server, Instant(15));  // 1280 / 256 = 5
  EXPECT_EQ(pairs(server), (Pairs{{5, 100}}));
  wake(server, Instant(16));
  EXPECT_EQ(pairs(server), (Pairs{{16, 90}, {1285, 10}}));
}

TEST(SporadicServer, Rule7WhatIsMoreThanHalfAPeriodIsPutDownAtOnce) {
  Small server = make(1000, 1280);
  server.consume(Duration(640));
  wake(server, Instant(641));
  EXPECT_EQ(pairs(server), (Pairs{{1, 1000}}));
  server.consume(Duration(1));
  wake(server, Instant(643));
  EXPECT_EQ(pairs(server), (Pairs{{643, 359}, {1281, 641}}));
}

TEST(SporadicServer, Rule9SweepsAHeadToCome) {
  Small server = make(107, 320);
  server.consume(Duration(1));
  wake(server, Instant(201));
  EXPECT_EQ(pairs(server), (Pairs{{201, 106}, {320, 1}}));
  server.consume(Duration(106));
  server.stop(Duration(1));
  EXPECT_EQ(pairs(server), (Pairs{{320, 1}, {521, 106}}));
  server.join_crumbs(Duration(0));  // an activation that costs nothing
  EXPECT_EQ(pairs(server), (Pairs{{320, 1}, {521, 106}}));
  server.join_crumbs(Duration(1));  // delaying 1 by 200 loses less than 1 of 213
  EXPECT_EQ(pairs(server), (Pairs{{520, 107}}));
}

TEST(SporadicServer, Rule9WhatWasUsedOfAHeadToComeStaysUsed) {
  Small server = make(107, 320);
  server.consume(Duration(1));
  wake(server, Instant(201));
  server.consume(Duration(106));
  server.stop(Duration(1));
  server.unblock(Instant(310));
  server.consume(Duration(1));  // of an overrun, just all of the crumb: it is put down
  server.stop(Duration(1));
  EXPECT_EQ(pairs(server), (Pairs{{521, 106}, {640, 1}}));
  server.consume(Duration(3));
  server.join_crumbs(Duration(6));  // 13 · 106 is more than 6 · 213
  EXPECT_EQ(pairs(server), (Pairs{{521, 106}, {640, 1}}));
  server.join_crumbs(Duration(7));
  EXPECT_EQ(pairs(server), (Pairs{{534, 107}}));
  EXPECT_EQ(server.consumed(), Duration(3));
  wake(server, Instant(542));  // moved by 320 / 64 = 5
  EXPECT_EQ(pairs(server), (Pairs{{539, 107}}));
  wake(server, Instant(543));  // one more: it comes back a period after 539
  EXPECT_EQ(pairs(server), (Pairs{{543, 104}, {859, 3}}));
}

/// Rule 7 bounds by how much waking delays what was used, in all; a join would begin to count anew.
TEST(SporadicServer, Rule9DoesNotSweepAHeadThatWakingHasMoved) {
  Small server = make(107, 320, 2);
  server.consume(Duration(1));
  wake(server, Instant(201));
  wake(server, Instant(205));
  server.consume(Duration(1));
  wake(server, Instant(209));  // moved by 3 of 5
  EXPECT_EQ(pairs(server), (Pairs{{208, 106}, {320, 1}}));
  EXPECT_TRUE(server.usable(Instant(209)));  // so nobody sweeps it
  EXPECT_THROW(server.join_crumbs(Duration(3)), CheckFailed);
  wake(server, Instant(220));
  EXPECT_EQ(pairs(server), (Pairs{{220, 105}, {527, 2}}));  // which is back from 528 on
}

/// Refills at the given instants of the given amounts, behind a head of 1.
Small filled(const Pairs& behind, int64_t period) {
  Small server;
  int64_t budget = 1;
  for (const auto& [time, amount] : behind) budget += amount;
  server.reset(Duration(budget), Duration(period), Instant(0));
  for (const auto& [time, amount] : behind) {
    wake(server, Instant(time - period));
    server.consume(Duration(amount));
    wake(server, Instant(time - period + amount + period / 64 + 1));
  }
  return server;
}

TEST(SporadicServer, Rule8TheNewestIsJoinedWhenThatLosesLeast) {
  Small server = filled({{1100, 9}, {1300, 9}, {1700, 9}}, 1000);
  EXPECT_EQ(server.count(), 4u);
  wake(server, Instant(750));
  server.consume(Duration(1));
  server.stop(Duration(1));
  // The head has gone, so there is room for it: nothing is joined.
  EXPECT_EQ(pairs(server), (Pairs{{1100, 9}, {1300, 9}, {1700, 9}, {1750, 1}}));
}

TEST(SporadicServer, Rule8JoinsTheCheapestPair) {
  // A head of 4, then refills of 9, 2 and 9: the pair whose gap times earlier amount is least is
  // the second and third, though the gap between the first two is smaller.
  Small server;
  server.reset(Duration(24), Duration(1000), Instant(0));
  const auto piece = [&](int64_t at, int64_t amount) {
    wake(server, Instant(at));
    server.consume(Duration(amount));
    wake(server, Instant(at + amount + 16));
  };
  piece(100, 9);
  piece(200, 2);
  piece(350, 9);
  EXPECT_EQ(pairs(server), (Pairs{{375, 4}, {1100, 9}, {1200, 2}, {1350, 9}}));
  piece(500, 1);  // 91·9 and 148·2 and 141·9: the 2 waits for the 9 behind it
  EXPECT_EQ(pairs(server), (Pairs{{517, 3}, {1100, 9}, {1348, 11}, {1500, 1}}));
}

/// Three refills, of which the first two together are not worth an activation once the overrun has
/// taken 1 of them. What the head used and what the overrun took are the pair that loses least.
template <class Server>
Pairs after_an_overrun() {
  Server server;
  server.reset(Duration(16), Duration(150), Instant(0));
  const auto piece = [&](int64_t amount, int64_t next) {
    server.consume(Duration(amount));
    wake(server, Instant(next));
  };
  piece(3, 30);   // {30, 13}, {150, 3}
  piece(3, 116);  // {116, 10}, {150, 3}, {180, 3}
  server.consume(Duration(11));
  server.stop(Duration(6));
  return pairs(server);
}

TEST(SporadicServer, Rule8AFullListDelaysAWholeBudgetForAnOverrunUnlessItIsKeptApart) {
  // All but the overrun is back at 266, a period after the head's time, if it is kept apart.
  EXPECT_EQ((after_an_overrun<SporadicServer<int64_t, 3>>()), (Pairs{{285, 16}}));
  EXPECT_EQ((after_an_overrun<SporadicServer<int64_t, 3, /*kOverrunApart=*/true>>()),
            (Pairs{{261, 15}, {300, 1}}));
}

TEST(SporadicServer, ChecksItsOwnList) {
  Small server = make(10, 5);  // longer than its period: what is used comes back too early
  EXPECT_NO_THROW(server.consume(Duration(10)));
  Small none;
  EXPECT_THROW(none.reset(Duration(0), Duration(5), Instant(0)), CheckFailed);
}

TEST(SporadicServer, ChecksThatItsOwnerHasStopped) {
  Small used_up = make(10, 100);
  used_up.consume(Duration(10));
  EXPECT_THROW(used_up.unblock(Instant(50)), CheckFailed);
  Small much = make(80, 100);
  much.stop(Duration(1));
  much.unblock(Instant(10));
  much.consume(Duration(60));  // more than half a period, which is not to be moved
  EXPECT_THROW(much.unblock(Instant(71)), CheckFailed);
  Small back = make(10, 100);
  EXPECT_THROW(back.consume(Duration(-1)), CheckFailed);
}

}  // namespace
}  // namespace hocket::small_server
