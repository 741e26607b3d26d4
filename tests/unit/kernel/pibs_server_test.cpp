// I/O virtual CPUs by example: when their budget comes back, and who pays for a top half. In
// schedules and beside an independent model: tests/property.
#include "kernel/sched/pibs_server.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "check_failed.h"
#include "kernel/sched/vcpu_policy.h"

namespace hocket {
namespace {

// --- How long a part of a budget takes to come back ---

template <class Rep>
int64_t comes_back(int64_t part, int64_t budget, int64_t period) {
  using Time = BasicDuration<Rep>;
  ComesBack<Rep> ratio;
  ratio.reset(Time(static_cast<Rep>(budget)), Time(static_cast<Rep>(period)));
  return ratio
      .after(Time(static_cast<Rep>(part)), Time(static_cast<Rep>(budget)),
             Time(static_cast<Rep>(period)))
      .ticks();
}

TEST(ComesBack, IsTheQuotientRoundedUp) {
  EXPECT_EQ(comes_back<int64_t>(3, 10, 40), 12);
  EXPECT_EQ(comes_back<int64_t>(1, 3, 10), 4);
  EXPECT_EQ(comes_back<int64_t>(3, 3, 10), 10);
  EXPECT_EQ(comes_back<int64_t>(0, 3, 10), 0);
  EXPECT_EQ(comes_back<int64_t>(7, 9, 9), 7);
  EXPECT_EQ(comes_back<int32_t>(1, 3, 10), 4);
}

__extension__ using Wide = __int128;

template <class Rep>
void expect_exact(int64_t longest) {
  const auto period = *rc::gen::inRange<int64_t>(1, longest);
  const auto budget = *rc::gen::inRange<int64_t>(1, period + 1);
  const auto part = *rc::gen::inRange<int64_t>(0, budget + 1);
  const auto exact = static_cast<int64_t>((Wide{part} * period + budget - 1) / budget);
  RC_ASSERT(comes_back<Rep>(part, budget, period) == exact);
}
RC_GTEST_PROP(ComesBackTest, IsExactOnALinearClock, (uint8_t bits)) {
  expect_exact<int64_t>(int64_t{2} << bits % 61);
}
RC_GTEST_PROP(ComesBackTest, IsExactOnACircularClock, (uint8_t bits)) {
  expect_exact<int32_t>(int64_t{2} << bits % 29);
}

// --- The server ---

using Server = SporadicOrPibs<int64_t, 4>;
using Instant = Server::Instant;
using Duration = Server::Duration;

Server io(int64_t budget, int64_t period) {
  Server server;
  server.reset(Duration(budget), Duration(period), Instant(0), ForIo{});
  return server;
}
void use(Server& server, int64_t ticks) {
  server.consume(Duration(ticks));
  server.stop(Duration(1));
}

TEST(Pibs, ComesBackWholeUsedOverUtilizationAfterItWasEligible) {
  Server server = io(10, 40);
  EXPECT_TRUE(server.unblock(Instant(5)));
  use(server, 3);
  EXPECT_EQ(server.time(), Instant(5 + 12));
  EXPECT_EQ(server.rest(), Duration(10));
  EXPECT_FALSE(server.unblock(Instant(9)));
  EXPECT_TRUE(server.unblock(Instant(17)));
  use(server, 10);
  EXPECT_EQ(server.time(), Instant(17 + 40));
}

TEST(Pibs, CountsFromWhenItIsWoken) {
  Server server = io(10, 40);
  EXPECT_TRUE(server.unblock(Instant(1'000'000)));
  use(server, 1);
  EXPECT_EQ(server.time(), Instant(1'000'004));
}

TEST(Pibs, CarriesAnOverrun) {
  Server server = io(10, 40);
  use(server, 25);
  EXPECT_EQ(server.time(), Instant(100));
  EXPECT_EQ(server.rest(), Duration(10));
}

TEST(Pibs, DoesNotCountWhatItDidNotUse) {
  Server server = io(10, 40);
  server.consume(Duration(8));
  server.use_up(Duration(5));
  server.stop(Duration(5));
  EXPECT_EQ(server.time(), Instant(32));
}

TEST(Pibs, KeepsItsInstantWhenItsBudgetChanges) {
  Server server = io(10, 40);
  use(server, 10);
  server.change(Duration(5), Duration(50));
  EXPECT_EQ(server.time(), Instant(40));
  EXPECT_EQ(server.rest(), Duration(5));
  EXPECT_TRUE(server.unblock(Instant(40)));
  use(server, 1);
  EXPECT_EQ(server.time(), Instant(50));
}

TEST(Pibs, BesideItASporadicServerIsOne) {
  Server either;
  SporadicServer<int64_t, 4> plain;
  either.reset(Duration(10), Duration(40), Instant(0));
  plain.reset(Duration(10), Duration(40), Instant(0));
  for (int64_t at : {3, 9, 30, 45, 46, 120}) {
    EXPECT_EQ(either.unblock(Instant(at)), plain.unblock(Instant(at)));
    either.consume(Duration(4));
    plain.consume(Duration(4));
    either.stop(Duration(2));
    plain.stop(Duration(2));
    ASSERT_EQ(either.time(), plain.time());
    ASSERT_EQ(either.rest(), plain.rest());
    ASSERT_EQ(either.count(), plain.count());
  }
}

/// Whatever has been done to a sporadic server beside I/O virtual CPUs: when its owner waits, all
/// but what the last overrun took early is back a period later.
template <unsigned kRefills>
void expect_all_back_in_time() {
  const auto period = *rc::gen::inRange<int64_t>(100, 3000);
  const auto smallest = *rc::gen::inRange<int64_t>(1, 8);
  const auto overrun = *rc::gen::inRange<int64_t>(0, 12);
  const auto more = *rc::gen::element<int64_t>(2, 8, 30);
  const auto budget = overrun + smallest + *rc::gen::inRange<int64_t>(0, more);
  SporadicOrPibs<int64_t, kRefills> server;
  server.reset(Duration(budget), Duration(period), Instant(0));
  Instant now(0);
  for (const auto& [nap, share, late] :
       *rc::gen::container<std::vector<std::tuple<int, uint8_t, uint8_t>>>(
           100, rc::gen::tuple(rc::gen::inRange(1, 1500), rc::gen::arbitrary<uint8_t>(),
                               rc::gen::arbitrary<uint8_t>()))) {
    now += Duration(nap);
    server.unblock(now);
    now = larger(now, server.time());
    const int64_t rest = server.rest().ticks();
    const bool all = share % 2 == 0;
    const int64_t used = all ? rest + late % (overrun + 1) : 1 + share * (rest - 1) / 256;
    server.consume(Duration(used));
    now += Duration(used);
    server.stop(Duration(smallest));
    RC_ASSERT(server.time() + Duration(budget - overrun) <= now + Duration(period));
  }
}
RC_GTEST_PROP(BesidePibs, AllButAnOverrunOfAShortListIsBackInTime, ()) {
  expect_all_back_in_time<3>();
}
RC_GTEST_PROP(BesidePibs, AllButAnOverrunOfALongListIsBackInTime, ()) {
  expect_all_back_in_time<8>();
}

// --- On a core: who pays for a top half ---

constexpr int64_t kE = 2, kS = 3, kI = 4, kTop = 6;
struct Charges {
  using Duration = BasicDuration<int64_t>;
  static constexpr bool kOneCore = false;
  static constexpr Duration entry() { return Duration(kE); }
  static constexpr Duration switching() { return Duration(kS); }
  static constexpr Duration interrupt() { return Duration(kI); }
  static constexpr Duration ending() { return Duration(kE + kS); }
  static constexpr Duration smallest() { return Duration(2 * (kE + kS)); }
};
using Policy = VcpuWithIoPolicy<int64_t, 4, 4, SilentObserver, Charges>;
using Entity = Policy::Entity;

class TopHalf : public ::testing::Test {
 protected:
  TopHalf() {
    policy.reset(4);
    policy.add(high, 0, Duration(50), Duration(1000), Instant(0));
    policy.add(pins, 1, Duration(30), Duration(300), Instant(0), ForIo{});
    policy.add(low, 2, Duration(100), Duration(1000), Instant(0));
  }
  Wakeup edge(int64_t now) { return policy.top_half(pins, Instant(now), Duration(kTop)); }
  Wakeup wake(Entity& entity, int64_t now) {
    return policy.wake(entity, Instant(now), Waker::Thread);
  }
  static int64_t used(const Entity& entity) { return entity.server.consumed().ticks(); }

  Policy policy;
  Entity high, pins, low;
};

TEST_F(TopHalf, IsInTheTimeOfWhoTakesTheCore) {
  EXPECT_EQ(wake(low, 0), Wakeup::Takes);
  EXPECT_EQ(edge(20), Wakeup::Takes);
  EXPECT_EQ(policy.running(), &pins);
  EXPECT_EQ(used(low), 20 - kE);
  policy.block(pins, Instant(31));
  // Charged from 18 to 34: 16, which come back 160 after it was woken.
  EXPECT_EQ(pins.server.time(), Instant(20 + 160));
}

TEST_F(TopHalf, OfTheIdleCoreIsToo) {
  EXPECT_EQ(edge(20), Wakeup::Takes);
  policy.block(pins, Instant(25));
  EXPECT_EQ(pins.server.time(), Instant(20 + 10 * (5 + kE + kS)));
}

TEST_F(TopHalf, BelowTheRunningOneIsPaidAndTakesNothingFromIt) {
  EXPECT_EQ(wake(high, 0), Wakeup::Takes);
  const Instant limit = policy.limit();
  EXPECT_EQ(edge(20), Wakeup::Rearm);
  EXPECT_EQ(used(pins), kTop);
  EXPECT_EQ(policy.limit(), limit + Duration(kTop));
  policy.block(high, Instant(40));
  EXPECT_EQ(used(high), 40 - kTop + kS);
}

TEST_F(TopHalf, BeforeItsBudgetIsPaidOutOfTheNextOne) {
  EXPECT_EQ(edge(0), Wakeup::Takes);
  policy.block(pins, Instant(15));  // 20 used: eligible at 200
  EXPECT_EQ(pins.server.time(), Instant(200));
  EXPECT_EQ(wake(low, 20), Wakeup::Takes);
  EXPECT_EQ(edge(50), Wakeup::Rearm);
  EXPECT_EQ(used(pins), kTop);
  Instant when;
  ASSERT_TRUE(policy.next_event(when));
  EXPECT_LE(when, Instant(200));
  EXPECT_EQ(policy.pick(Instant(200 + kE), Cause::Timer), &pins);
  policy.block(pins, Instant(210));
  EXPECT_EQ(pins.server.time(), Instant(200 + 10 * (kTop + 10 + kS)));
}

TEST_F(TopHalf, OfASecondLineIsPaidAsWell) {
  EXPECT_EQ(wake(high, 0), Wakeup::Takes);
  EXPECT_EQ(edge(20), Wakeup::Rearm);
  EXPECT_EQ(edge(30), Wakeup::Rearm);
  EXPECT_EQ(used(pins), 2 * kTop);
}

TEST_F(TopHalf, OfWhoRunsIsItsOwnTime) {
  EXPECT_EQ(edge(0), Wakeup::Takes);
  EXPECT_EQ(edge(5), Wakeup::Same);
  EXPECT_EQ(used(pins), 0);
}

TEST_F(TopHalf, WhenSomebodyElseIsDueThatOneIsNotCharged) {
  policy.sleep(high, Instant(0), Instant(20));
  EXPECT_EQ(wake(low, 0), Wakeup::Takes);
  EXPECT_EQ(edge(21), Wakeup::Decide);  // the timer's interrupt is late
  EXPECT_EQ(used(low), 21 - kE);
  EXPECT_EQ(used(pins), kTop);
  EXPECT_EQ(policy.pick(Instant(25), Cause::Interrupt), &high);
  policy.block(high, Instant(30));
  EXPECT_EQ(used(high), kE + 5 + kS);
  EXPECT_EQ(policy.pick(Instant(30), Cause::Stop), &pins);
}

TEST_F(TopHalf, ThatNobodysBudgetPaysIsPassedOver) {
  EXPECT_EQ(policy.pass_over(Duration(7)), Wakeup::Same);  // nobody runs
  EXPECT_EQ(wake(low, 0), Wakeup::Takes);
  const Instant limit = policy.limit();
  EXPECT_EQ(policy.pass_over(Duration(7)), Wakeup::Rearm);
  EXPECT_EQ(policy.limit(), limit + Duration(7));
}

TEST_F(TopHalf, AStormTakesNoMoreThanItsUtilization) {
  EXPECT_EQ(wake(low, 0), Wakeup::Takes);
  (void)edge(1);
  int64_t spent = 0;
  for (int64_t now = 2; now < 30'000; ++now) {  // an edge as soon as the line is unmasked
    if (policy.running() == &pins) {
      policy.block(pins, Instant(now));
      spent += kE + 1 + kS;
      (void)policy.pick(Instant(now), Cause::Stop);
      if (edge(now) == Wakeup::Decide) (void)policy.pick(Instant(now), Cause::Interrupt);
      spent += kTop;
    } else {
      (void)policy.pick(Instant(now), Cause::Timer);
    }
  }
  EXPECT_LE(spent, 30'000 / 10 + 30 + kTop);
  EXPECT_GE(spent, 30'000 / 10 - 300);
}

}  // namespace
}  // namespace hocket
