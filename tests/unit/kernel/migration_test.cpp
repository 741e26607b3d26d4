// A thread goes from one core to the other (kernel/task/migration.h), step by step on a processor
// that the test turns by hand (turned_port.h).
#include <gtest/gtest.h>

#include <stdexcept>

#include "check_failed.h"
#include "kernel/sched/deadline_policy.h"
#include "kernel/task/kernel.h"
#include "turned_port.h"

namespace hocket {
namespace {

struct Context {
  bool may_migrate = false;
};

struct Port : test::TurnedPort<int64_t, Context> {
  static constexpr port::Options kOptions{.threads_migrate = true, .prepares_migrants = true};
  static void may_migrate(Context& context) { context.may_migrate = true; }
};

struct Config {
  static constexpr unsigned kMaxAlarms = 2;
  static constexpr KernelOptions kOptions;
  using Trace = NoTrace;
  template <class Observer>
  using Policy = DeadlinePolicy<int64_t, 4, 4, Observer, PortCharges<Port>, /*kMaySplit=*/true>;
};
using K = Kernel<Port, Config>;
using Instant = K::Instant;
using Duration = K::Duration;
using State = K::Policy::Entity::State;

/// One thread in two parts: 200 of 1,000 on core 0 within 250, released on core 1 after 300 with
/// 150 more within 600.
class MigrationTest : public ::testing::Test {
 protected:
  MigrationTest() {
    Port::clock = 1'000;
    Port::handler = Port::masked = false;
    Port::at_switch = nullptr;
    K::split(part[0], part[1], thread, Duration(300), Duration(14));
    constexpr int64_t kBudget[] = {200, 150}, kDeadline[] = {250, 600};
    for (CoreId core : {0, 1}) {
      go_to(core);
      K::init_core(core, 4);
      part[core].core = core;
      part[core].due_after = Duration(kDeadline[core]);
      K::add(part[core], uint8_t{1}, Duration(kBudget[core]), Duration(1'000), K::now());
      K::add_part(part[core]);
    }
    go_to(0);
    K::create(thread, part[0], {}, nullptr, nullptr);
    K::start(thread, K::now());
    interrupt();
  }
  void TearDown() override {
    EXPECT_FALSE(Port::masked);
    EXPECT_EQ(K::core(0).lock.holder, -1);
    EXPECT_EQ(K::core(1).lock.holder, -1);
  }

  static void go_to(CoreId core) {
    Port::on = core;
    Port::asked.clear();
  }
  static void at(int64_t instant) { Port::clock = 1'000 + instant; }
  static void begin_interrupt() { Port::masked = Port::handler = true; }
  static void end_interrupt() {
    Port::handler = false;
    K::after_interrupt();
    Port::masked = false;
  }
  static void timer() {
    begin_interrupt();
    K::on_timer();
    end_interrupt();
  }
  static void interrupt() {
    begin_interrupt();
    K::on_reschedule();
    end_interrupt();
  }
  bool runs_on(CoreId core) const { return K::core(core).current == &thread; }
  /// It has used up its first part and waits for the second one, whose core knows of it.
  void go_over() {
    go_to(0);
    at(kUsedUp[0]);
    timer();
    go_to(1);
    interrupt();
  }
  /// Likewise, and it runs there.
  void run_over_there() {
    go_over();
    at(300);
    timer();
  }

  /// When the timer ends a part: E before it began to run it is charged, of C1, or of C2 without I,
  /// and the end costs E + S.
  static constexpr int64_t kUsedUp[] = {-2 + 200 - 5, 300 - 2 + 150 - 4 - 5};

  K::Vcpu part[2];
  K::Thread thread;
};

TEST_F(MigrationTest, ItBeginsAtHome) {
  EXPECT_TRUE(runs_on(0));
  EXPECT_EQ(thread.vcpu, &part[0]);
  EXPECT_TRUE(thread.context.may_migrate);
}

TEST_F(MigrationTest, WhoHasUsedAPartUpIsHandedOverBehindTheSwitch) {
  go_to(0);
  at(kUsedUp[0]);
  begin_interrupt();
  K::on_timer();
  EXPECT_TRUE(K::must_switch());
  EXPECT_EQ(thread.vcpu, &part[0]);  // its registers are not on its stack
  EXPECT_TRUE(Port::asked.empty());
  // Meanwhile the other core does not touch it, whatever it is told.
  Port::on = 1;
  K::on_reschedule();
  EXPECT_EQ(part[1].state, State::Blocked);
  Port::on = 0;
  end_interrupt();
  EXPECT_FALSE(runs_on(0));
  EXPECT_EQ(thread.vcpu, &part[1]);
  EXPECT_EQ(Port::asked, std::vector<CoreId>{1});
}

TEST_F(MigrationTest, TheSecondPartIsReleasedAfterTheOffset) {
  go_over();
  EXPECT_EQ(part[1].state, State::Sleeping);
  EXPECT_EQ(part[1].wake_at, Instant(1'300));
  EXPECT_FALSE(runs_on(1));
  at(299);
  timer();
  EXPECT_FALSE(runs_on(1));
  at(300);
  timer();
  EXPECT_TRUE(runs_on(1));
  EXPECT_EQ(part[1].server.rest(), Duration(150 - 4));  // the interrupt is its own
}

TEST_F(MigrationTest, ItGoesHomeForItsNextPeriod) {
  run_over_there();
  at(kUsedUp[1]);
  timer();
  EXPECT_EQ(thread.vcpu, &part[0]);
  EXPECT_EQ(Port::asked, std::vector<CoreId>{0});
  EXPECT_EQ(part[1].worst_response, Duration(kUsedUp[1]));  // from its release in the first part on
  EXPECT_EQ(part[0].releases + part[1].releases, 1u);
  EXPECT_EQ(part[0].exhausted + part[1].exhausted, 1u);
  go_to(0);
  interrupt();
  EXPECT_FALSE(runs_on(0));
  at(1'000);
  timer();
  EXPECT_TRUE(runs_on(0));
  EXPECT_EQ(part[0].server.rest(), Duration(200 - 4));
}

TEST_F(MigrationTest, WhatIsTrueTwiceIsDoneOnce) {
  go_over();
  const Duration rest = part[1].server.rest();
  interrupt();
  EXPECT_EQ(part[1].server.rest(), rest);
  at(300);
  timer();
  interrupt();
  EXPECT_TRUE(runs_on(1));
}

TEST_F(MigrationTest, WhoSleepsUntilItsNextPeriodSleepsAtHome) {
  run_over_there();
  at(400);
  K::sleep_until(Instant(2'000));
  EXPECT_EQ(thread.vcpu, &part[0]);
  EXPECT_EQ(Port::asked, std::vector<CoreId>{0});
  go_to(0);
  interrupt();
  EXPECT_EQ(part[0].state, State::Sleeping);
  at(1'000);
  timer();
  EXPECT_TRUE(runs_on(0));
}

/// The first part ran over, so that its budget comes back a little late: the period begins there
/// all the same.
TEST_F(MigrationTest, AnOverrunChangesNoOrder) {
  go_to(0);
  at(kUsedUp[0] + 14);
  timer();
  go_to(1);
  interrupt();
  at(300);
  timer();
  ASSERT_TRUE(runs_on(1));
  at(400);
  K::sleep_until(Instant(2'000));
  EXPECT_GT(part[0].server.time(), Instant(2'000));
  EXPECT_EQ(thread.vcpu, &part[0]);
}

TEST_F(MigrationTest, WhoNapsStays) {
  run_over_there();
  at(320);
  K::sleep_until(Instant(1'400));
  EXPECT_EQ(thread.vcpu, &part[1]);
  EXPECT_TRUE(Port::asked.empty());
  at(400);
  timer();
  EXPECT_TRUE(runs_on(1));
}

TEST_F(MigrationTest, WhoIsWokenGoesWhereItsBudgetIsFirst) {
  run_over_there();
  at(320);
  K::suspend_self();
  // The first part's budget is not back: by its own core, and by the other.
  at(330);
  K::resume(thread);
  EXPECT_TRUE(runs_on(1));
  at(340);
  K::suspend_self();
  go_to(0);
  at(1'100);  // now it is
  K::resume(thread);
  EXPECT_EQ(thread.vcpu, &part[0]);
  EXPECT_EQ(Port::asked, std::vector<CoreId>{0});
  EXPECT_FALSE(runs_on(0));
  interrupt();
  EXPECT_TRUE(runs_on(0));
  EXPECT_EQ(part[0].release, Instant(2'100));
}

TEST_F(MigrationTest, WhoIsWokenOnItsWayIsNotTakenInAgain) {
  run_over_there();
  at(400);
  K::suspend_self_until(Instant(2'500));
  EXPECT_EQ(thread.vcpu, &part[0]);  // core 0 has not heard of it yet
  go_to(1);
  at(1'200);
  K::resume(thread);
  EXPECT_EQ(part[0].state, State::Ready);
  EXPECT_EQ(Port::asked, std::vector<CoreId>{0});
  go_to(0);
  interrupt();
  EXPECT_TRUE(runs_on(0));
  interrupt();
  EXPECT_TRUE(runs_on(0));
  EXPECT_EQ(thread.state, ThreadState::Ready);
}

TEST_F(MigrationTest, WhoIsResumedWhileItRunsThereHasThatKept) {
  run_over_there();
  go_to(0);
  EXPECT_TRUE(K::resume(thread));
  EXPECT_FALSE(K::resume(thread));
  go_to(1);
  K::suspend_self();
  EXPECT_TRUE(runs_on(1));
}

TEST_F(MigrationTest, WhoHoldsALockDoesNotLeave) {
  go_to(0);
  at(190);
  K::raise_self(0, Duration(50));
  at(200);
  timer();
  EXPECT_TRUE(runs_on(0));
  EXPECT_EQ(thread.vcpu, &part[0]);
  at(220);
  K::lower_self(part[0].rank);
  EXPECT_FALSE(runs_on(0));
  EXPECT_EQ(thread.vcpu, &part[1]);
}

TEST_F(MigrationTest, WhoFaultsThereIsGone) {
  run_over_there();
  EXPECT_THROW(K::stop_self(1), std::logic_error);  // (the context is not switched)
  EXPECT_EQ(thread.state, ThreadState::Stopped);
  EXPECT_EQ(part[1].state, State::Blocked);
  Port::masked = false;
  for (CoreId core : {0, 1}) {
    go_to(core);
    interrupt();
    EXPECT_FALSE(runs_on(core));
  }
}

}  // namespace
}  // namespace hocket
