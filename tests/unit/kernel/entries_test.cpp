// The kernel's entries on a processor with two cores: who is switched, which locks are held
// afterwards, and that nobody blocks where nobody may.
#include <gtest/gtest.h>

#include "two_cores.h"

namespace hocket::two_cores {
namespace {

TEST(Resume, OfAnotherCoresThreadLeavesThisCoreAlone) {
  Machine machine;
  machine.go_to(1);
  System::suspend_self();
  EXPECT_EQ(machine.current(1), machine.idle(1));
  machine.go_to(0);
  EXPECT_TRUE(System::resume(machine.thread[1]));
  EXPECT_EQ(machine.current(0), &machine.thread[0]);
  EXPECT_EQ(Port::switches, 0u);
  EXPECT_TRUE(machine.all_unlocked());
  EXPECT_EQ(machine.current(1), machine.idle(1));  // that core decides itself…
  EXPECT_EQ(Port::asked, std::vector<CoreId>{1});
  machine.go_to(1);
  Machine::interrupt();
  EXPECT_EQ(machine.current(1), &machine.thread[1]);  // …when the interrupt comes
  EXPECT_TRUE(machine.all_unlocked());
}

TEST(Resume, OfAnotherCoresThreadInAHandler) {
  Machine machine;
  machine.go_to(1);
  System::suspend_self();
  machine.go_to(0);
  Port::handler = Port::masked = true;
  EXPECT_TRUE(System::resume(machine.thread[1]));
  Port::handler = Port::masked = false;
  EXPECT_FALSE(System::must_switch());
  EXPECT_EQ(Port::asked, std::vector<CoreId>{1});
  EXPECT_TRUE(machine.all_unlocked());
}

TEST(Resume, OfAThreadThatRunsIsKept) {
  Machine machine;
  EXPECT_TRUE(System::resume(machine.thread[1]));
  EXPECT_FALSE(System::resume(machine.thread[1]));  // the second one is lost
  EXPECT_TRUE(Port::asked.empty());
  EXPECT_TRUE(machine.all_unlocked());
  machine.go_to(1);
  System::suspend_self();  // returns at once
  EXPECT_EQ(Port::switches, 0u);
  System::suspend_self();
  EXPECT_EQ(machine.current(1), machine.idle(1));
}

TEST(Wake, OfAnotherCoresThreadLeavesThisCoreAlone) {
  Machine machine;
  machine.go_to(1);
  Port::masked = true;
  System::wait([](System::Thread&) {});
  Port::masked = false;
  machine.go_to(0);
  Port::masked = true;
  System::wake(machine.thread[1]);
  Port::masked = false;
  EXPECT_EQ(machine.current(0), &machine.thread[0]);
  EXPECT_EQ(Port::asked, std::vector<CoreId>{1});
  EXPECT_TRUE(machine.all_unlocked());
}

/// The thread of the core that the test is waits. Whether it was put into a queue.
bool waits_until(System::Duration time) {
  bool enqueued = false;
  Port::masked = true;
  System::wait_until(System::now() + time, [&](System::Thread&) { enqueued = true; });
  Port::masked = false;
  return enqueued;
}
void wake_early(System::Thread& thread) {
  Port::masked = true;
  System::wake_early(thread);
  Port::masked = false;
}

TEST(WaitUntil, EndsEarly) {
  Machine machine;
  EXPECT_TRUE(waits_until(System::Duration(10)));
  EXPECT_EQ(machine.current(0), machine.idle(0));
  wake_early(machine.thread[0]);
  EXPECT_EQ(machine.current(0), &machine.thread[0]);
  EXPECT_TRUE(machine.vcpu[0].sleepers.empty());
  EXPECT_TRUE(machine.all_unlocked());
}

TEST(WaitUntil, EndsAtItsTimeAndIsNotEndedAgain) {
  Machine machine;
  EXPECT_TRUE(waits_until(System::Duration(10)));
  Port::clock += 10;
  Machine::interrupt();
  EXPECT_EQ(machine.current(0), &machine.thread[0]);
  const unsigned switches = Port::switches;
  wake_early(machine.thread[0]);
  EXPECT_EQ(Port::switches, switches);
  EXPECT_TRUE(machine.all_unlocked());
}

TEST(WaitUntil, HasNothingToWaitForWhenItsTimeHasCome) {
  Machine machine;
  EXPECT_TRUE(waits_until(System::Duration(0)));  // the object's lock is given back all the same
  EXPECT_EQ(machine.current(0), &machine.thread[0]);
  EXPECT_EQ(Port::switches, 0u);
  EXPECT_TRUE(machine.all_unlocked());
}

TEST(WaitUntil, LeavesPermitsAsTheyAre) {
  Machine machine;
  EXPECT_TRUE(System::resume(machine.thread[0]));  // before
  EXPECT_TRUE(waits_until(System::Duration(10)));
  EXPECT_EQ(machine.current(0), machine.idle(0));
  EXPECT_FALSE(System::resume(machine.thread[0]));  // it is kept already
  EXPECT_EQ(machine.current(0), machine.idle(0));
  wake_early(machine.thread[0]);
  System::suspend_self();  // returns at once
  EXPECT_EQ(machine.current(0), &machine.thread[0]);
  System::suspend_self();
  EXPECT_EQ(machine.current(0), machine.idle(0));
}

TEST(WaitUntil, OfAnotherCoresThread) {
  Machine machine;
  machine.go_to(1);
  EXPECT_TRUE(waits_until(System::Duration(10)));
  machine.go_to(0);
  wake_early(machine.thread[1]);
  EXPECT_EQ(machine.current(0), &machine.thread[0]);
  EXPECT_EQ(Port::asked, std::vector<CoreId>{1});
  EXPECT_TRUE(machine.all_unlocked());
  machine.go_to(1);
  Machine::interrupt();
  EXPECT_EQ(machine.current(1), &machine.thread[1]);
}

TEST(Resume, OfOnesOwnCoreSwitchesAtOnceOrAtTheEndOfAnInterrupt) {
  Machine machine;
  System::suspend_self();
  EXPECT_EQ(machine.current(0), machine.idle(0));
  EXPECT_TRUE(System::resume(machine.thread[0]));
  EXPECT_EQ(machine.current(0), &machine.thread[0]);
  EXPECT_TRUE(machine.all_unlocked());
  System::suspend_self();
  Port::handler = Port::masked = true;
  EXPECT_TRUE(System::resume(machine.thread[0]));
  EXPECT_EQ(machine.current(0), machine.idle(0));  // the handler goes on
  EXPECT_TRUE(System::must_switch());
  Port::handler = false;
  System::after_interrupt();
  Port::masked = false;
  EXPECT_EQ(machine.current(0), &machine.thread[0]);
  EXPECT_TRUE(machine.all_unlocked());
}

TEST(Responses, AVirtualCpuWithoutADeadlineMissesNone) {
  Machine machine;
  Port::clock += 100;
  System::suspend_self();
  EXPECT_EQ(machine.vcpu[0].responses, 1u);
  EXPECT_EQ(machine.vcpu[0].deadline_misses, 0u);
}

/// A call that blocks would block whoever was interrupted.
template <class Call>
void fails_in_a_handler(Call call) {
  Machine machine;
  Port::handler = true;
  EXPECT_THROW(call(), CheckFailed);
  Port::handler = false;
  EXPECT_EQ(machine.current(0), &machine.thread[0]);
  EXPECT_FALSE(System::must_switch());
  EXPECT_TRUE(machine.all_unlocked());
  EXPECT_NO_THROW(call());
}

TEST(Contexts, SleepingIsForThreads) {
  fails_in_a_handler([] { System::sleep_until(System::now() + System::Duration(10)); });
}
TEST(Contexts, YieldingIsForThreads) {
  fails_in_a_handler([] { System::yield(); });
}
TEST(Contexts, SuspendingIsForThreads) {
  fails_in_a_handler([] { System::suspend_self(); });
  fails_in_a_handler([] { System::suspend_self_until(System::now() + System::Duration(10)); });
}
TEST(Contexts, WaitingIsForThreads) {
  fails_in_a_handler([] { System::wait([](System::Thread&) {}); });
  fails_in_a_handler(
      [] { System::wait_until(System::now() + System::Duration(10), [](System::Thread&) {}); });
}

}  // namespace
}  // namespace hocket::two_cores
