// Whose time it is: each instant is somebody's own work, or the kernel's time for somebody, or an
// interrupt's that changed nothing; never two of them.
#include "kernel/task/account.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <tuple>
#include <vector>

namespace hocket {
namespace {

using Instant = BasicInstant<int64_t>;
using Duration = BasicDuration<int64_t>;

struct Vcpu {};
struct Thread {
  using Instant = hocket::Instant;
  using Duration = hocket::Duration;
  PeriodMeter<int64_t> meter;
  Duration kernel_time;
  Vcpu* vcpu = nullptr;
  ThreadState state = ThreadState::Ready;
};
struct Policy {
  bool answer = true;
  bool competes(const Vcpu&, Instant) const { return answer; }
};

constexpr Duration kEntry(2);

class AccountTest : public ::testing::Test {
 protected:
  AccountTest() {
    account.begin(Instant(0), idle);
    idle.state = ThreadState::Stopped;  // it has no virtual CPU, and is never ready
    a.vcpu = b.vcpu = &vcpu;
  }
  void decide(Thread& from, Thread& to, int64_t now, Cause cause) {
    account.decide(from, to, Instant(now), cause, kEntry, policy);
  }
  void arrive(int64_t now) {
    if (account.pays()) account.arrive(Instant(now));
  }
  static int64_t own(const Thread& thread) { return thread.meter.total().ticks(); }
  static int64_t kernel(const Thread& thread) { return thread.kernel_time.ticks(); }

  Account<Thread, true> account;
  Policy policy;
  Vcpu vcpu;
  Thread idle, a, b;
};

TEST_F(AccountTest, WhoPreemptsHasTheKernelsTime) {
  decide(idle, a, 10, Cause::Call);
  arrive(13);
  decide(a, b, 30, Cause::Interrupt);
  arrive(34);
  EXPECT_EQ(own(idle), 10);
  EXPECT_EQ(kernel(a), 3);
  EXPECT_EQ(own(a), 30 - 2 - 13);
  EXPECT_EQ(kernel(b), 2 + 4);
  EXPECT_EQ(a.counters.preemptions, 1u);
}

TEST_F(AccountTest, WhoStopsHasTheKernelsTime) {
  decide(idle, a, 0, Cause::Timer);
  arrive(3);
  a.state = ThreadState::Sleeping;
  decide(a, b, 30, Cause::Stop);
  arrive(34);
  account.close(b, Instant(50));
  EXPECT_EQ(own(a), 27);
  EXPECT_EQ(kernel(a), 3 + 4);
  EXPECT_EQ(own(b), 16);
  EXPECT_EQ(kernel(b), 0);
  EXPECT_EQ(a.counters.preemptions, 0u);
}

TEST_F(AccountTest, WhoIsThrottledWasNotPreempted) {
  decide(idle, a, 0, Cause::Call);
  arrive(0);
  policy.answer = false;
  decide(a, b, 30, Cause::Timer);
  arrive(34);
  EXPECT_EQ(a.counters.preemptions, 0u);
}

TEST_F(AccountTest, OfSeveralDecisionsBeforeAnExitTheLastCounts) {
  decide(idle, a, 0, Cause::Call);
  arrive(0);
  Thread c;
  c.vcpu = &vcpu;
  decide(a, b, 30, Cause::Interrupt);
  decide(a, c, 36, Cause::Interrupt);  // the same handler wakes another one
  arrive(40);
  EXPECT_EQ(own(a), 28);
  EXPECT_EQ(kernel(b), 0);
  EXPECT_EQ(kernel(c), 12);
  EXPECT_EQ(a.counters.preemptions, 1u);
}

TEST_F(AccountTest, WhoGoesOnAfterAllHasItsCallToItself) {
  decide(idle, a, 0, Cause::Call);
  arrive(0);
  decide(a, b, 30, Cause::Call);
  decide(a, a, 32, Cause::Call);
  decide(a, b, 50, Cause::Interrupt);
  arrive(52);
  EXPECT_EQ(own(a), 48);
  EXPECT_EQ(kernel(b), 4);
}

TEST_F(AccountTest, AnInterruptThatChangesNothingIsNobodysWork) {
  decide(idle, a, 0, Cause::Call);
  arrive(0);
  decide(a, a, 12, Cause::Interrupt);
  account.pass_over(a, Instant(10), Instant(15));
  account.close(a, Instant(20));
  EXPECT_EQ(own(a), 15);
  EXPECT_EQ(kernel(a), 0);
}

RC_GTEST_PROP(Account, EveryInstantBelongsToOne,
              (const std::vector<std::tuple<uint8_t, uint8_t, uint8_t>>& steps)) {
  Account<Thread, true> account;
  Vcpu vcpu;
  std::array<Thread, 4> threads;
  for (Thread& thread : threads) thread.vcpu = &vcpu;
  account.begin(Instant(0), threads[0]);
  Thread* current = threads.data();
  int64_t now = 0;
  int64_t passed_over = 0;
  int64_t worked = 0;  // what the threads did themselves, as the test knows it
  for (const auto& [what, who, span] : steps) {
    now += span;
    worked += span;
    Thread& next = threads[who % threads.size()];
    const bool interrupt = what % 2 == 0;
    if (interrupt) now += kEntry.ticks();
    const int64_t entered = interrupt ? now - kEntry.ticks() : now;
    const Cause cause = what % 4 == 0   ? Cause::Timer
                        : what % 4 == 2 ? Cause::Interrupt
                        : what % 4 == 1 ? Cause::Stop
                                        : Cause::Call;
    account.decide(*current, next, Instant(now), cause, kEntry, Policy());
    now += what % 16;
    if (&next != current) {
      account.arrive(Instant(now));
      current = &next;
    } else if (interrupt) {
      account.pass_over(*current, Instant(entered), Instant(now));
      passed_over += now - entered;
    } else {
      worked += now - entered;  // its own call
    }
  }
  account.close(*current, Instant(now));
  Duration own{}, kernel{};
  for (const Thread& thread : threads) {
    own += thread.meter.total();
    kernel += thread.kernel_time;
  }
  RC_ASSERT(own == Duration(worked));
  RC_ASSERT(own + kernel + Duration(passed_over) == Duration(now));
}

}  // namespace
}  // namespace hocket
