// The rules of docs/decisions/who-pays.md, one by one, with small numbers. (Rules 7 and 8 are the
// server's own: sporadic_server_test.cpp.)
#include <gtest/gtest.h>

#include "kernel/sched/deadline_policy.h"
#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/port_charges.h"

namespace hocket {
namespace {

constexpr int64_t kE = 2, kS = 3, kI = 4;

/// A processor that costs this much and does nothing else.
template <unsigned kHowManyCores>
struct CostlyPort {
  using Ticks = int64_t;
  static constexpr unsigned kCores = kHowManyCores;
  static constexpr port::Costs<Ticks> costs() {
    return {.interrupt_entry = kE,
            .context_switch = kS,
            .timer_interrupt = kI,
            .timer_lateness = 1,
            .longest_masked = 9};
  }
};
using Charges = PortCharges<CostlyPort<2>>;
using Policy = VcpuPolicy<int64_t, 4, 4, SilentObserver, Charges>;
using Entity = Policy::Entity;
using Instant = Policy::Instant;
using Duration = Policy::Duration;

TEST(PortCharges, AreWhatThePortDeclares) {
  EXPECT_EQ(Charges::entry(), Duration(kE));
  EXPECT_EQ(Charges::switching(), Duration(kS));
  EXPECT_EQ(Charges::interrupt(), Duration(kI));
  EXPECT_EQ(Charges::ending(), Duration(kE + kS));
}

TEST(PortCharges, Rule4AnActivationAndAnEndComeFree) {
  EXPECT_EQ(Charges::activation(), Duration(2 * (kE + kS) + kI));
  EXPECT_EQ(PortCharges<CostlyPort<1>>::activation(),
            Duration(2 * (kE + kS)));  // nobody sends IPIs
  EXPECT_EQ(Charges::smallest(), Duration(2 * (kE + kS)));
}

struct FreePort {
  using Ticks = int64_t;
  static constexpr unsigned kCores = 1;
  static constexpr port::Costs<Ticks> costs() { return {}; }
};
TEST(PortCharges, ARestOfNothingIsNeverWorthIt) {
  EXPECT_EQ(PortCharges<FreePort>::activation(), Duration(0));
  EXPECT_EQ(PortCharges<FreePort>::smallest(), Duration(1));
}

/// On a small processor, whose clock is circular.
struct SmallPort {
  using Ticks = int32_t;
  static constexpr unsigned kCores = 1;
  static constexpr port::Costs<Ticks> costs() {
    return {.interrupt_entry = kE,
            .context_switch = kS,
            .timer_interrupt = kI,
            .timer_lateness = 1,
            .longest_masked = 9};
  }
};

/// There a decision ends one head or one wait: each is long.
class WhoPaysOnSmallProcessor : public ::testing::Test {
 protected:
  using Policy = PlainVcpuPolicy<int32_t, 4, 3, SilentObserver, PortCharges<SmallPort>>;
  using Entity = Policy::Entity;
  using Instant = Policy::Instant;
  using Duration = Policy::Duration;

  WhoPaysOnSmallProcessor() {
    policy.reset(4);
    policy.add(high, 1, Duration(50), Duration(1000), Instant(0));
    policy.add(middle, 2, Duration(100), Duration(1000), Instant(0));
    policy.add(low, 3, Duration(100), Duration(1000), Instant(0));
  }
  Entity* pick(int32_t now, Cause cause) { return policy.pick(Instant(now), cause); }
  void wake(Entity& entity, int32_t now) {
    static_cast<void>(policy.wake(entity, Instant(now), Waker::Thread));
  }
  int32_t next() {
    Instant when;
    return policy.next_event(when) ? when.ticks() : -1;
  }

  Policy policy;
  Entity high, middle, low;
};

TEST_F(WhoPaysOnSmallProcessor, WhoIsDueWhenAHeadEndsComesInTheNextDecision) {
  policy.sleep(middle, Instant(0), Instant(30));
  wake(low, 0);
  wake(high, 0);
  const int32_t limit = 50 - kE - kS;
  ASSERT_EQ(policy.running(), &high);
  ASSERT_EQ(next(), limit);
  EXPECT_EQ(pick(limit, Cause::Timer), &low);
  EXPECT_EQ(high.server.time(), Instant(1000));
  EXPECT_EQ(next(), 30);  // at once
  EXPECT_EQ(pick(limit + 5, Cause::Timer), &middle);
  // The first switch was paid by who stopped, and the second one is by who is activated.
  EXPECT_EQ(low.server.consumed(), Duration(0));
  EXPECT_EQ(policy.limit(), Instant(limit + 5 - kE + 100 - kE - kS));
}

TEST_F(WhoPaysOnSmallProcessor, WhoIsPreemptedWithTooLittleLeftEndsWhenItsTurnComes) {
  wake(low, 0);
  const int32_t limit = 100 - kE - kS;
  policy.sleep(high, Instant(0), Instant(limit));
  EXPECT_EQ(pick(limit + kE, Cause::Timer), &high);
  EXPECT_EQ(low.server.rest(), Duration(kE + kS));
  EXPECT_EQ(low.server.time(), Instant(0));
  policy.block(high, Instant(limit + 10));
  ASSERT_EQ(pick(limit + 10, Cause::Stop), &low);
  ASSERT_LE(next(), limit + 10 + kS);  // at once
  EXPECT_EQ(pick(limit + 10 + kS + kE, Cause::Timer), nullptr);
  EXPECT_EQ(low.server.count(), 1U);
  EXPECT_EQ(low.server.time(), Instant(1000));
  EXPECT_EQ(low.server.consumed(), Duration(0));  // the end was all that it had kept
}

TEST_F(WhoPaysOnSmallProcessor, WhoIsDueComesAtOnceWhereNoHeadEnds) {
  policy.sleep(middle, Instant(0), Instant(5));
  wake(low, 0);
  wake(high, 0);
  policy.block(high, Instant(10));
  EXPECT_EQ(pick(10, Cause::Stop), &middle);
}

class WhoPays : public ::testing::Test {
 protected:
  WhoPays() {
    policy.reset(4);
    policy.add(high, 1, Duration(50), Duration(1000), Instant(0));
    policy.add(low, 3, Duration(100), Duration(1000), Instant(0));
  }
  Wakeup wake(Entity& entity, int64_t now, Waker waker) {
    return policy.wake(entity, Instant(now), waker);
  }
  Entity* pick(int64_t now, Cause cause) { return policy.pick(Instant(now), cause); }
  static int64_t used(const Entity& entity) { return entity.server.consumed().ticks(); }

  Policy policy;
  Entity high, low;
};

TEST_F(WhoPays, Rule1WhoIsWokenByAnInterruptPaysItsEntry) {
  EXPECT_EQ(wake(low, 0, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(wake(high, 20, Waker::Interrupt), Wakeup::Takes);
  EXPECT_EQ(used(low), 20 - kE);
  policy.block(high, Instant(25));
  EXPECT_EQ(used(high), kE + 5 + kS);
}

TEST_F(WhoPays, Rule1WhomTheTimerWakesPaysItsEntry) {
  policy.sleep(high, Instant(0), Instant(20));
  EXPECT_EQ(wake(low, 0, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(pick(21, Cause::Timer), &high);
  EXPECT_EQ(used(low), 21 - kE);
  policy.block(high, Instant(25));
  EXPECT_EQ(used(high), kE + 4 + kS);
}

TEST_F(WhoPays, Rule1TheWakersOwnCallIsItsOwnTime) {
  EXPECT_EQ(wake(low, 0, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(wake(high, 20, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(used(low), 20);
  policy.block(high, Instant(25));
  EXPECT_EQ(used(high), 5 + kS);
}

TEST_F(WhoPays, Rule2WhoStopsPaysForTheSwitchToTheNext) {
  EXPECT_EQ(wake(high, 0, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(wake(low, 1, Waker::Interrupt), Wakeup::Same);
  policy.block(high, Instant(10));
  EXPECT_EQ(used(high), 10 + kS);
  EXPECT_EQ(pick(10, Cause::Stop), &low);
  policy.sleep(low, Instant(20), Instant(500));
  EXPECT_EQ(used(low), 20 - (10 + kS) + kS);
}

TEST_F(WhoPays, Rule2WhoUsedItUpPaysForTheSwitchToTheNext) {
  EXPECT_EQ(wake(high, 0, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(wake(low, 1, Waker::Interrupt), Wakeup::Same);
  EXPECT_EQ(pick(50, Cause::Timer), &low);  // five late
  // 50 + kS were used: an overrun, which the next refill pays for.
  EXPECT_EQ(high.server.time(), Instant(1000 + kS));
  policy.block(low, Instant(60));
  EXPECT_EQ(used(low), 60 - (50 + kS) + kS);
}

TEST_F(WhoPays, Rule2WhoStopsBeforeItIsChargedHasOnlyTheSwitchToPay) {
  EXPECT_EQ(wake(high, 0, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(wake(low, 1, Waker::Interrupt), Wakeup::Same);
  policy.block(high, Instant(10));
  EXPECT_EQ(pick(10, Cause::Stop), &low);  // charged from 10 + kS on
  policy.block(low, Instant(11));
  EXPECT_EQ(used(low), kS);
}

TEST_F(WhoPays, Rule3WhoIsWokenFromAfarPaysForTheInterrupt) {
  EXPECT_EQ(wake(low, 0, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(wake(high, 20, Waker::OtherCore), Wakeup::Decide);
  EXPECT_EQ(used(high), kI);
  EXPECT_EQ(pick(21, Cause::Interrupt), &high);
  EXPECT_EQ(used(low), 21 - kE);
}

/// Notes the last release and the longest response.
struct Watch {
  static constexpr bool kObserves = true;
  static inline Instant release;
  static inline Duration longest;
  static void released(auto&, Instant when) { release = when; }
  static void responded(auto&, Instant since, Instant when) {
    longest = larger(longest, when - since);
  }
  static void exhausted(auto&, Instant, Instant) {}
};

/// The interrupt takes what is worth an activation: its release is that of the next refill, and
/// the response is not counted from the wake-up on.
TEST(WhoPaysObserved, Rule3WhomTheInterruptLeavesNothingIsReleasedLater) {
  using Watched = VcpuPolicy<int64_t, 4, 4, Watch, Charges>;
  Watched policy;
  Watched::Entity loop;
  Watch::longest = Duration(0);
  policy.reset(4);
  policy.add(loop, 1, Duration(50), Duration(1000), Instant(0));
  EXPECT_EQ(policy.wake(loop, Instant(0), Waker::Thread), Wakeup::Takes);
  const int64_t least = Charges::smallest().ticks();
  policy.block(loop, Instant(50 - least - kS));  // what is left is just worth an activation
  EXPECT_EQ(loop.server.rest(), Charges::smallest());
  (void)policy.wake(loop, Instant(60), Waker::OtherCore);
  const Instant next = loop.server.time();
  EXPECT_GT(next, Instant(900));
  EXPECT_EQ(Watch::release, next);
  EXPECT_EQ(policy.pick(next + Duration(kE), Cause::Timer), &loop);
  policy.block(loop, next + Duration(10));
  EXPECT_LE(Watch::longest, Duration(50));
}

TEST_F(WhoPays, Rule3WhereNoneIsSentNobodyPays) {
  EXPECT_EQ(wake(high, 0, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(wake(low, 20, Waker::OtherCore), Wakeup::Same);
  EXPECT_EQ(used(low), 0);
}

TEST_F(WhoPays, Rule3AnInterruptThatChangesNothingIsNotTheInterruptedOnes) {
  EXPECT_EQ(wake(low, 0, Waker::Thread), Wakeup::Takes);
  const Instant limit = policy.limit();
  EXPECT_EQ(pick(10, Cause::Interrupt), &low);
  EXPECT_EQ(policy.limit(), limit + Duration(kI));
  EXPECT_EQ(pick(20, Cause::Call), &low);  // its own call is its own time
  EXPECT_EQ(policy.limit(), limit + Duration(kI));
  policy.block(low, Instant(50));
  EXPECT_EQ(used(low), 50 - kI + kS);
}

TEST_F(WhoPays, Rule3WhoIsWokenWithoutBudgetPaysForTheInterruptLater) {
  EXPECT_EQ(wake(high, 0, Waker::Thread), Wakeup::Takes);
  policy.block(high, Instant(50));
  EXPECT_EQ(wake(low, 50, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(wake(high, 60, Waker::Interrupt), Wakeup::Rearm);
  EXPECT_EQ(used(high), kI);
}

/// In idle time a loop runs without budget, and may sleep there as often as it likes. The timer at
/// the end of each of these sleeps interrupts the running loop, so the sleeper pays for it: what it
/// takes of the others in a period stays within its budget.
TEST_F(WhoPays, Rule3ASleepInIdleTimeThatEndsWithoutBudgetPaysForItsTimer) {
  high.background = true;
  EXPECT_EQ(wake(high, 0, Waker::Thread), Wakeup::Decide);
  EXPECT_EQ(pick(0, Cause::Call), &high);
  EXPECT_EQ(pick(policy.limit().ticks(), Cause::Timer), &high);  // used up: in idle time
  for (int64_t nap = 0; nap < 3; ++nap) {
    const int64_t now = 100 + 200 * nap;
    ASSERT_TRUE(policy.running_in_background());
    policy.sleep(high, Instant(now), Instant(now + 50));
    EXPECT_EQ(pick(now, Cause::Stop), nullptr);
    EXPECT_EQ(wake(low, now + 40, Waker::Thread), Wakeup::Takes);
    const Instant limit = policy.limit();
    const int64_t owed = high.server.consumed().ticks();
    EXPECT_EQ(pick(now + 50 + kE, Cause::Timer), &low);
    EXPECT_EQ(policy.limit(), limit + Duration(kI));
    EXPECT_EQ(used(high), owed + kI);
    policy.block(low, Instant(now + 70));
    EXPECT_EQ(pick(now + 70, Cause::Stop), &high);
  }
}

/// Where no loop runs on a budget, nobody loses anything by it.
TEST_F(WhoPays, Rule3ASleepThatEndsInIdleTimeCostsNothing) {
  high.background = true;
  EXPECT_EQ(wake(high, 0, Waker::Thread), Wakeup::Decide);
  EXPECT_EQ(pick(0, Cause::Call), &high);
  EXPECT_EQ(pick(policy.limit().ticks(), Cause::Timer), &high);
  policy.sleep(high, Instant(100), Instant(150));
  EXPECT_EQ(pick(100, Cause::Stop), nullptr);
  const int64_t owed = used(high);
  EXPECT_EQ(pick(150 + kE, Cause::Timer), &high);
  EXPECT_EQ(used(high), owed);
}

/// What is counted elsewhere does not shorten a hold: a section that is short enough would fall
/// back within an interrupt, and loops that want the lock would wait for one that does not run.
TEST_F(WhoPays, Rule3AnInterruptMovesAHoldersLimit) {
  EXPECT_EQ(wake(low, 0, Waker::Thread), Wakeup::Takes);
  policy.raise(low, 0, Instant(5), Instant(30));
  EXPECT_EQ(pick(10, Cause::Interrupt), &low);
  EXPECT_EQ(policy.limit(), Instant(30 + kI));
  EXPECT_EQ(policy.pass_over(Duration(40)), Wakeup::Rearm);
  EXPECT_EQ(policy.limit(), Instant(70 + kI));
  policy.raise(low, 0, Instant(60), Instant(90));  // a lock within the lock
  EXPECT_EQ(policy.limit(), Instant(70 + kI));
  EXPECT_EQ(pick(70, Cause::Call), &low);
  EXPECT_TRUE(low.raised());
  EXPECT_EQ(wake(high, 75, Waker::Thread), Wakeup::Same);
  EXPECT_EQ(pick(70 + kI, Cause::Timer), &high);
  EXPECT_FALSE(low.raised());
}

// By deadlines it is known before a sleeper is released when it will be due: so the timer is set
// only for those that will preempt.

using ByDeadline = DeadlinePolicy<int64_t, 4, 4, SilentObserver, Charges>;

struct WhoPaysByDeadline : ::testing::Test {
  WhoPaysByDeadline() {
    policy.reset(4);
    policy.add(soon, 1, Duration(500), Duration(1000), Instant(0));
    policy.add(later, 2, Duration(500), Duration(1200), Instant(0));
  }
  ByDeadline::Entity* pick(int64_t now, Cause cause) { return policy.pick(Instant(now), cause); }
  /// It sleeps, and then the other one runs. (It has slept for long: what it used is put down.)
  Instant let_sleep(ByDeadline::Entity& sleeper, int64_t until, ByDeadline::Entity& runs) {
    static_cast<void>(policy.wake(sleeper, Instant(0), Waker::Thread));
    policy.sleep(sleeper, Instant(10), Instant(until));
    static_cast<void>(pick(10, Cause::Stop));
    EXPECT_EQ(policy.wake(runs, Instant(20), Waker::Thread), Wakeup::Takes);
    Instant timer{};
    EXPECT_TRUE(policy.next_event(timer));
    return timer;
  }
  ByDeadline policy;
  ByDeadline::Entity soon, later;
};

TEST_F(WhoPaysByDeadline, ASleeperThatIsDueLaterThanTheRunningOneSetsNoTimer) {
  const Instant timer = let_sleep(later, 100, soon);
  EXPECT_EQ(timer, policy.limit());
  EXPECT_EQ(pick(200, Cause::Call), &soon);
  EXPECT_EQ(later.state, ByDeadline::Entity::State::Sleeping);  // it is due, and stays where it is
  EXPECT_EQ(later.server.consumed(), Duration(kS + 10));        // nothing is charged to it
  policy.block(soon, Instant(210));
  EXPECT_EQ(pick(210, Cause::Stop), &later);
  EXPECT_EQ(later.server.time(), Instant(100));  // as if it had been noticed then
}

TEST_F(WhoPaysByDeadline, Rule1WhoPreemptsPaysForNothingElse) {
  EXPECT_EQ(let_sleep(soon, 100, later), Instant(100));
  EXPECT_EQ(pick(100 + kE, Cause::Timer), &soon);
  const Duration before = soon.server.consumed();
  policy.block(soon, Instant(100 + kE));
  EXPECT_EQ(soon.server.consumed(), before + Duration(kE + kS));
}

/// C' = C + w: woken by an interrupt once a period, it has just C for itself, from the first
/// instruction after the switch to the last one before the interrupt that ends it.
TEST_F(WhoPays, Rule4TheOwnWorkIsAllOfC) {
  constexpr int64_t kC = 40;
  Entity loop;
  policy.reset(4);
  policy.add(loop, 1, Charges::activation() + Duration(kC), Duration(1000), Instant(0));
  EXPECT_EQ(wake(loop, 100, Waker::Interrupt), Wakeup::Takes);
  const Instant first = Instant(100) + Duration(kS);
  EXPECT_EQ(policy.limit() - first,
            Duration(kC + kI));  // kI: an IPI would have been paid out of it
  policy.reset(4);
  policy.add(loop, 1, Charges::activation() + Duration(kC), Duration(1000), Instant(0));
  EXPECT_EQ(wake(loop, 100, Waker::OtherCore), Wakeup::Decide);
  EXPECT_EQ(pick(101, Cause::Interrupt), &loop);
  EXPECT_EQ(policy.limit() - (Instant(101) + Duration(kS)), Duration(kC));
}

TEST_F(WhoPays, Rule5TheLimitIsEarlyByItsOwnCost) {
  EXPECT_EQ(wake(low, 0, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(policy.limit(), Instant(100 - kE - kS));
  // The interrupt is punctual, the clock is read kE later: what is used is just the budget.
  EXPECT_EQ(pick(100 - kS, Cause::Timer), nullptr);
  EXPECT_EQ(low.server.time(), Instant(1000));
  EXPECT_EQ(low.server.rest(), Duration(100));
}

TEST_F(WhoPays, Rule5WhatTheEndLeavesIsUsedUp) {
  EXPECT_EQ(wake(low, 0, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(pick(100 - kE - kS, Cause::Timer), nullptr);  // kE are left: not worth anything
  EXPECT_EQ(low.server.time(), Instant(1000));            // the period keeps its beginning
  EXPECT_EQ(low.server.rest(), Duration(100));
}

TEST_F(WhoPays, Rule5AnInterruptThatBeganBeforeTheLimitDoesNotEndABudget) {
  EXPECT_EQ(wake(low, 0, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(pick(100 - kS - 1, Cause::Interrupt), &low);  // from 100 - E - S - 1 on
}

TEST_F(WhoPays, Rule5WhoIsPreemptedWithNoMoreThanThatHasUsedItUp) {
  EXPECT_EQ(wake(low, 0, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(wake(high, 100 - kS, Waker::Interrupt), Wakeup::Takes);  // low has E + S left
  EXPECT_EQ(low.server.time(), Instant(1000));
  EXPECT_EQ(low.server.rest(), Duration(100));
}

TEST_F(WhoPays, Rule6ASmallRestWaits) {
  EXPECT_EQ(wake(low, 0, Waker::Thread), Wakeup::Takes);
  policy.block(low, Instant(87));
  EXPECT_EQ(used(low), 87 + kS);  // a rest of 10, which is 2 · (E + S): worth it
  EXPECT_EQ(wake(low, 100, Waker::Thread), Wakeup::Takes);
  policy.block(low, Instant(101));
  // Its head was moved to 10 when it woke; its last 6 wait for what comes back one period later.
  EXPECT_EQ(low.server.time(), Instant(1010 - 6));
  EXPECT_EQ(low.server.rest(), Duration(100));
}

/// Of its 300, 20 and 80 were used in naps: the 20 would take an activation of their own in every
/// period. To delay them costs less.
TEST_F(WhoPays, Rule9CrumbsAreSwept) {
  Entity loop;
  policy.reset(4);
  policy.add(loop, 1, Duration(300), Duration(1000), Instant(0));
  const auto piece = [&](int64_t at, int64_t amount) {
    static_cast<void>(wake(loop, at, Waker::Thread));
    policy.block(loop, Instant(at + amount - kS));
  };
  piece(0, 20);
  piece(50, 80);
  EXPECT_EQ(wake(loop, 200, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(loop.server.count(), 3u);
  EXPECT_EQ(pick(400 - kS, Cause::Timer), nullptr);
  // 20 at 1,000 and 80 at 1,050: a gap of 30, and 30 · 20 is less than 10 · (1,000 − 300).
  EXPECT_EQ(loop.server.time(), Instant(1050 - 20));
}

TEST_F(WhoPays, Rule9WhatLosesMoreIsNoCrumb) {
  Entity loop;
  policy.reset(4);
  policy.add(loop, 1, Duration(300), Duration(1000), Instant(0));
  const auto piece = [&](int64_t at, int64_t amount) {
    static_cast<void>(wake(loop, at, Waker::Thread));
    policy.block(loop, Instant(at + amount - kS));
  };
  piece(0, 80);
  piece(200, 20);
  EXPECT_EQ(wake(loop, 300, Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(pick(500 - kS, Cause::Timer), nullptr);
  EXPECT_EQ(loop.server.count(), 3u);  // 120 · 80 is more than 10 · (1,000 − 300)
}

}  // namespace
}  // namespace hocket
