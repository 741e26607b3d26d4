// Work that is done in an interrupt on an I/O virtual CPU's account, beside other threads of the
// virtual CPUs that have to do with it.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "two_cores.h"

namespace hocket::two_cores {
namespace {

/// An I/O virtual CPU with a thread above everybody else of core 0; it waits for work.
struct Served : Machine {
  Served() {
    System::add(io, uint8_t{0}, System::Duration(500), System::Duration(1000), System::now(),
                ForIo{});
    begin(server, io);
    wait_for_work(server);
  }
  /// A further thread of core 0; it runs.
  void begin(System::Thread& thread, System::Vcpu& on) const {
    Port::pass(30);  // what others on it have used is back
    System::create(thread, on, {}, nullptr, nullptr);
    System::start(thread, System::now());
    interrupt();
    if (current(0) != &thread) System::yield();
    ASSERT_EQ(current(0), &thread);
  }
  void wait_for_work(System::Thread& thread) const {
    ASSERT_EQ(current(0), &thread);
    System::suspend_self();
    ASSERT_EQ(current(0), &this->thread[0]);
  }
  /// The interrupt, from entry to exit.
  template <class Work>
  bool serve(Work work) {
    Port::pass(30);
    Port::masked = Port::handler = true;
    const bool done = System::serve(server, System::Duration(8), System::Duration(20), work,
                                    System::InHandler::here());
    Port::handler = false;
    System::after_interrupt();
    Port::masked = false;
    return done;
  }

  System::Vcpu io;
  System::Thread server;
};

TEST(Serve, WhoIsWokenRunsAtOnceOnAVirtualCpuOfItsOwn) {
  Served machine;
  System::Vcpu vcpu;
  System::Thread handler;
  System::suspend_self();  // thread[0], whose slot that virtual CPU is behind
  System::add(vcpu, uint8_t{2}, System::Duration(50), System::Duration(1000), System::now());
  machine.begin(handler, vcpu);
  System::suspend_self();
  EXPECT_EQ(machine.current(0), machine.idle(0));
  EXPECT_TRUE(machine.serve([&] { return System::Served{&handler, false}; }));
  EXPECT_EQ(machine.current(0), &handler);
  EXPECT_TRUE(machine.all_unlocked());
}

TEST(Serve, WhoIsWokenTakesItsTurnBehindTheReadyOnesOfItsVirtualCpu) {
  Served machine;
  System::Thread handler, third;
  machine.begin(handler, machine.vcpu[0]);
  machine.wait_for_work(handler);
  machine.begin(third, machine.vcpu[0]);
  System::yield();
  ASSERT_EQ(machine.current(0), &machine.thread[0]);

  EXPECT_TRUE(machine.serve([&] { return System::Served{&handler, false}; }));
  EXPECT_EQ(machine.current(0), &machine.thread[0]);  // who was interrupted goes on
  System::yield();
  EXPECT_EQ(machine.current(0), &third);
  System::yield();
  EXPECT_EQ(machine.current(0), &handler);
  System::yield();
  EXPECT_EQ(machine.current(0), &machine.thread[0]);
  EXPECT_TRUE(machine.all_unlocked());
}

/// While the work is done the core's lock is free.
TEST(Serve, WhomAnotherCoreWakesMeanwhileOnTheIoVirtualCpuIsNotForgotten) {
  Served machine;
  System::Thread second;
  machine.begin(second, machine.io);
  machine.wait_for_work(second);
  const bool done = machine.serve([&] {
    machine.go_to(1);
    Port::handler = false;
    EXPECT_TRUE(System::resume(second));
    Port::handler = true;
    machine.go_to(0);
    return System::Served{nullptr, false};
  });
  EXPECT_EQ(machine.current(0), &second);
  System::suspend_self();
  if (!done) {
    EXPECT_EQ(machine.current(0), &machine.server);
    System::suspend_self();
  }
  EXPECT_EQ(machine.current(0), &machine.thread[0]);
  EXPECT_TRUE(machine.all_unlocked());
}

TEST(Serve, ItsThreadDoesWhatIsLeft) {
  Served machine;
  System::Thread handler;
  machine.begin(handler, machine.vcpu[0]);
  machine.wait_for_work(handler);
  EXPECT_FALSE(machine.serve([&] { return System::Served{&handler, true}; }));
  EXPECT_EQ(machine.current(0), &machine.server);
  machine.wait_for_work(machine.server);
  System::yield();
  EXPECT_EQ(machine.current(0), &handler);
  EXPECT_TRUE(machine.all_unlocked());
}

/// A policy with an I/O virtual CPU above a handler's, one that sleeps, and one that is
/// interrupted.
struct Side {
  using LinearPort = test::TurnedPort<int64_t, NoContext>;
  using Policy = VcpuWithIoPolicy<int64_t, 8, 4, SilentObserver, PortCharges<LinearPort>>;
  using Instant = Policy::Instant;
  using Duration = Policy::Duration;
  enum Rank : uint8_t { Io, Sleeper, Handler, Interrupted, kAll };

  Side() {
    policy.reset(kAll);
    policy.add(entity[Io], Io, Duration(300), Duration(1'000), Instant(0), ForIo{});
    policy.add(entity[Handler], Handler, Duration(90), Duration(1'000), Instant(0));
    policy.add(entity[Sleeper], Sleeper, Duration(50), Duration(2'000), Instant(0));
    policy.add(entity[Interrupted], Interrupted, Duration(2'500), Duration(5'000), Instant(0));
    static_cast<void>(policy.wake(entity[Interrupted], Instant(0), Waker::Thread));
    policy.pick(Instant(0), Cause::Call);
  }
  /// Everything that may depend on what was done.
  std::vector<int64_t> seen() const {
    std::vector<int64_t> all;
    for (const auto& each : entity) {
      all.push_back(&each == policy.running());
      all.push_back(static_cast<int64_t>(each.state));
      all.push_back(each.server.rest().ticks());
      for (unsigned i = 0; i < each.server.count(); ++i) {
        all.push_back(each.server[i].time.ticks());
        all.push_back(each.server[i].amount.ticks());
      }
    }
    if (policy.running() != nullptr) all.push_back(policy.limit().ticks());
    return all;
  }

  Policy policy;
  Policy::Entity entity[kAll];
};

TEST(Serve, InOneStepItIsTheSameAsInThree) {
  std::mt19937 random(1);
  const auto between = [&random](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  Side at_once, in_steps;
  unsigned served = 0, decided = 0;
  Side::Instant now(0);
  for (unsigned round = 0; round < 20'000; ++round) {
    now += Side::Duration(between(20, 400));
    const auto began = now;
    const auto until = now + Side::Duration(between(1, 600));
    const bool serves =
        at_once.policy.would_take(at_once.entity[Side::Io], now, Side::Duration(20));
    ASSERT_EQ(serves,
              in_steps.policy.would_take(in_steps.entity[Side::Io], now, Side::Duration(20)));
    if (serves) now += Side::Duration(between(5, 20));
    if (serves) {
      auto& io = in_steps.entity[Side::Io];
      in_steps.policy.begin_service(io, began);
      in_steps.policy.hand_over(io, in_steps.entity[Side::Handler], now);
      in_steps.policy.pick(now, Cause::Stop);
      const bool runs =
          at_once.policy.serve(at_once.entity[Side::Io], at_once.entity[Side::Handler], began, now);
      if (!runs) at_once.policy.pick(now, Cause::Stop);
      ++(runs ? served : decided);
    }
    ASSERT_EQ(at_once.seen(), in_steps.seen()) << "round " << round;
    const int works = between(1, 60);
    for (Side* const side : {&at_once, &in_steps}) {
      auto& [policy, entity] = *side;
      auto end = now;
      if (policy.running() == &entity[Side::Handler]) {
        end += Side::Duration(works);
        policy.block(entity[Side::Handler], end);
        policy.pick(end, Cause::Stop);
      } else {
        policy.pick(end, Cause::Timer);
      }
      auto& sleeper = entity[Side::Sleeper];
      if (policy.running() == &sleeper || sleeper.state == decltype(sleeper.state)::Blocked) {
        policy.sleep(sleeper, end, until);
        policy.pick(end, Cause::Stop);
      }
    }
    ASSERT_EQ(at_once.seen(), in_steps.seen()) << "round " << round;
    now += Side::Duration(works);
  }
  EXPECT_GT(served, 1'000u);
  EXPECT_GT(decided, 100u);
}

}  // namespace
}  // namespace hocket::two_cores
