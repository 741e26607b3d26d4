// Handlers that others may interrupt, and whose time the analysis counts: nobody pays for them, not
// even where it is decided in their middle that somebody else runs.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <type_traits>

#include "check_failed.h"
#include "kernel/sched/deadline_policy.h"
#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"
#include "turned_port.h"

namespace {

using namespace hocket;

struct OwnContext {};
using Port = test::TurnedPort<int32_t, OwnContext>;

struct Config {
  static constexpr unsigned kMaxAlarms = 0;
  static constexpr KernelOptions kOptions{.counts_handlers = true};
  using Trace = NoTrace;
  template <class Observer>
  using Policy = VcpuPolicy<Port::Ticks, 4, 3, Observer, PortCharges<Port>>;
};
using System = Kernel<Port, Config>;

constexpr uint32_t kEntry = 2, kSwitch = 3, kInterrupt = 4;

/// Two threads of core 0; the one that comes first sleeps for 82 ticks, the other one runs.
struct Counted : testing::Test {
  Counted() {
    Port::clock = 1'000;
    Port::handler = Port::masked = false;
    Port::on = 0;
    System::init_core(0, 4);
    for (unsigned i : {0u, 1u}) {
      System::add(vcpu[i], static_cast<uint8_t>(i), System::Duration(500), System::Duration(20'000),
                  System::now());
      System::create(thread[i], vcpu[i], {}, nullptr, nullptr);
      System::start(thread[i], System::now());
      Port::reschedule_interrupt<System>();
      if (i == 0) System::sleep_until(System::now() + System::Duration(82));
    }
    EXPECT_EQ(System::core(0).current, &thread[1]);
  }
  /// From the interrupted code's last instruction on.
  static void enter() {
    Port::masked = Port::handler = true;
    Port::pass(kEntry);
    System::begin_counted(System::InHandler::here());
  }
  /// …to its next one.
  static void leave() {
    System::end_counted(System::InHandler::here());
    Port::pass(kEntry);
    Port::handler = false;
    System::after_interrupt();
    Port::masked = false;
  }

  System::Vcpu vcpu[2];
  System::Thread thread[2];
};

TEST_F(Counted, WhoeverIsInterruptedDoesNotPay) {
  const int32_t paid = vcpu[1].server.consumed().ticks();
  Port::pass(20);
  enter();
  Port::pass(50);
  leave();
  Port::pass(5);
  System::suspend_self();
  const int32_t own = 20 + 5 + static_cast<int32_t>(kSwitch);
  EXPECT_EQ(vcpu[1].server.consumed().ticks() - paid, own + static_cast<int32_t>(kEntry))
      << "and the entry of its own activation";
}

TEST_F(Counted, NorWhoIsLetRunInItsMiddle) {
  const int32_t paid = vcpu[1].server.consumed().ticks();
  const int32_t others = vcpu[0].server.consumed().ticks();
  Port::pass(50);
  enter();
  Port::pass(30);
  Port::pass(kEntry);
  System::on_timer();  // the first one's time has come, in its middle
  Port::pass(40);
  leave();
  EXPECT_EQ(System::core(0).current, &thread[0]);
  Port::pass(60);
  System::suspend_self();
  EXPECT_EQ(System::core(0).current, &thread[1]);
  Port::pass(20);
  System::suspend_self();
  // Of 72 ticks of the handler each pays none; the first one for what its activation is.
  EXPECT_LE(vcpu[1].server.consumed().ticks() - paid,
            50 + 20 + static_cast<int32_t>(2 * kEntry + kSwitch));
  EXPECT_GE(vcpu[1].server.consumed().ticks() - paid, 50 + 20);
  const int32_t activation = static_cast<int32_t>(kEntry + kInterrupt + kSwitch);
  EXPECT_LE(vcpu[0].server.consumed().ticks() - others, 60 + activation);
  EXPECT_GE(vcpu[0].server.consumed().ticks() - others, 60 + static_cast<int32_t>(kSwitch));
}

// --- Handlers that wake threads, and end with pass_over() ---

template <class Number, bool kByDeadline>
struct Waking {
  using Port = test::TurnedPort<Number, OwnContext>;
  static inline BasicInstant<Number> began;
  static inline bool runs = false;

  struct Config {
    static constexpr unsigned kMaxAlarms = 1;
    static constexpr KernelOptions kOptions{.counts_handlers = true};
    using Trace = NoTrace;
    template <class Observer>
    using Policy =
        std::conditional_t<kByDeadline, DeadlinePolicy<Number, 4, 3, Observer, PortCharges<Port>>,
                           VcpuPolicy<Number, 4, 3, Observer, PortCharges<Port>>>;
    static bool handler_began(BasicInstant<Number>& when) {
      when = began;
      return runs && Port::on == 0;
    }
  };
  using System = Kernel<Port, Config>;
};

constexpr unsigned kFirst = 0, kSecond = 1, kLast = 2, kUnbudgeted = 3, kElsewhere = 4;

/// Of five threads three have budgets on core 0, one has none there, one is on core 1. All have
/// suspended themselves.
template <class Of>
struct WakingHandler : testing::Test {
  using Port = typename Of::Port;
  using System = typename Of::System;
  using Duration = typename System::Duration;

  WakingHandler() {
    Port::clock = std::numeric_limits<int32_t>::max() - 3'000;  // where a short clock turns
    Port::handler = Port::masked = Of::runs = false;
    for (CoreId core : {CoreId{1}, CoreId{0}}) {
      Port::on = core;
      System::init_core(core, 4);
    }
    vcpu[kElsewhere].core = 1;
    for (unsigned i = 0; i < 5; ++i) {
      Port::on = i == kElsewhere ? 1 : 0;
      if (i == kUnbudgeted) {
        System::add_best_effort(vcpu[i], static_cast<uint8_t>(i));
      } else {
        System::add(vcpu[i], static_cast<uint8_t>(i == kElsewhere ? 0 : i), Duration(500),
                    Duration(static_cast<Ticks>(10'000 * (i + 1))), System::now());
      }
      System::create(thread[i], vcpu[i], {}, nullptr, nullptr);
      System::start(thread[i], System::now());
      Port::template reschedule_interrupt<System>();
      EXPECT_EQ(System::core(Port::on).current, &thread[i]);
      System::suspend_self();
    }
    Port::on = 0;
    Port::pass(50'000);  // all budgets are whole again
  }
  /// The kernel is everybody's: nothing is left in it.
  ~WakingHandler() override {
    for (CoreId core : {CoreId{1}, CoreId{0}}) {
      Port::on = core;
      Port::template reschedule_interrupt<System>();
      while (System::core(core).current != &System::idle(core)) System::suspend_self();
    }
  }
  using Ticks = typename Port::Ticks;

  /// It begins to run.
  void run(unsigned i) {
    Port::masked = Port::handler = true;
    System::resume(thread[i]);
    Port::handler = false;
    System::after_interrupt();
    Port::masked = false;
    ASSERT_EQ(System::core(0).current, &thread[i]);
    Port::pass(kSwitch);
  }
  Ticks paid(unsigned i) const { return vcpu[i].server.consumed().ticks(); }

  struct Wakes {
    uint32_t at;
    unsigned who;
  };
  /// From the interrupted code's last instruction to the next one of any thread.
  void handler(std::initializer_list<Wakes> wakes, uint32_t length) {
    Port::masked = Port::handler = true;
    Port::pass(kEntry);
    Of::began = System::now();
    Of::runs = true;
    uint32_t passed = 0;
    for (const Wakes& wake : wakes) {
      Port::pass(wake.at - passed);
      passed = wake.at;
      System::resume(thread[wake.who]);
    }
    Port::pass(length - passed);
    System::pass_over(Of::began, System::InHandler::here());
    Of::runs = Port::handler = false;
    if (System::must_switch()) Port::pass(kSwitch);
    System::after_interrupt();
    Port::masked = false;
  }

  typename System::Vcpu vcpu[5];
  typename System::Thread thread[5];
};
using Kinds = testing::Types<Waking<int32_t, false>, Waking<int32_t, true>, Waking<int64_t, false>,
                             Waking<int64_t, true>>;
class KindNames {
 public:
  template <class Of>
  static std::string GetName(int i) {
    return std::string(i < 2 ? "CircularClock" : "LinearClock") +
           (i % 2 == 0 ? "ByPriorities" : "ByDeadlines");
  }
};
TYPED_TEST_SUITE(WakingHandler, Kinds, KindNames);

constexpr uint32_t kLength = 300, kBefore = 20, kBehind = 60;
/// What a thread pays besides its work: an activation, the switch to it, and the one away from it.
constexpr uint32_t kActivation = kEntry + 2 * kSwitch;

TYPED_TEST(WakingHandler, TakesNothingOfTheThreadThatItInterrupts) {
  for (const uint32_t at : {0u, 1u, 150u, kLength}) {
    this->run(kLast);
    const auto before = this->paid(kLast);
    TestFixture::Port::pass(kBefore);
    this->handler({{at, kFirst}}, kLength);
    ASSERT_EQ(TestFixture::System::core(0).current, &this->thread[kFirst]);
    // (It is charged from its activation on.)
    const auto own = this->paid(kLast) - before;
    EXPECT_GE(own, static_cast<int>(kBefore)) << "woken at " << at;
    EXPECT_LE(own, static_cast<int>(kBefore + kEntry + kSwitch)) << "woken at " << at;
    TestFixture::System::suspend_self();
    TestFixture::System::suspend_self();
    TestFixture::Port::pass(31'000);
  }
}

TYPED_TEST(WakingHandler, SparesTheWokenThreadNothingOfItsOwn) {
  for (const uint32_t at : {0u, 1u, 150u, kLength}) {
    this->run(kLast);
    TestFixture::Port::pass(kBefore);
    this->handler({{at, kFirst}}, kLength);
    ASSERT_EQ(TestFixture::System::core(0).current, &this->thread[kFirst]);
    TestFixture::Port::pass(kBehind);
    TestFixture::System::suspend_self();
    const auto own = this->paid(kFirst);
    EXPECT_GE(own, static_cast<int>(kBehind + 2 * kSwitch)) << "woken at " << at;
    EXPECT_LE(own, static_cast<int>(kBehind + kActivation)) << "woken at " << at;
    TestFixture::System::suspend_self();
    TestFixture::Port::pass(31'000);
  }
}

TYPED_TEST(WakingHandler, AThreadThatNeverRanPaysItsActivation) {
  this->run(kLast);
  TestFixture::Port::pass(kBefore);
  this->handler({{50, kSecond}, {200, kFirst}}, kLength);
  EXPECT_LE(this->paid(kSecond), static_cast<int>(kEntry));
  ASSERT_EQ(TestFixture::System::core(0).current, &this->thread[kFirst]);
  TestFixture::Port::pass(kBehind);
  TestFixture::System::suspend_self();
  EXPECT_GE(this->paid(kFirst), static_cast<int>(kBehind + 2 * kSwitch));
  EXPECT_LE(this->paid(kFirst), static_cast<int>(kBehind + kActivation));
}

TYPED_TEST(WakingHandler, WhatChangesNothingTakesNothing) {
  for (const unsigned other : {kLast, kUnbudgeted, kElsewhere}) {
    this->run(kSecond);
    const auto before = this->paid(kSecond);
    TestFixture::Port::pass(kBefore);
    this->handler({{100, other}}, kLength);
    ASSERT_EQ(TestFixture::System::core(0).current, &this->thread[kSecond]) << other;
    TestFixture::Port::pass(kBefore);
    TestFixture::System::suspend_self();
    const auto own = this->paid(kSecond) - before;
    EXPECT_GE(own, static_cast<int>(2 * kBefore + kSwitch)) << other;
    EXPECT_LE(own, static_cast<int>(2 * kBefore + kActivation)) << other;
    if (other != kElsewhere) TestFixture::System::suspend_self();
    TestFixture::Port::pass(31'000);
  }
}

TYPED_TEST(WakingHandler, LeavesTheRestOfABudget) {
  this->run(kLast);
  const auto whole = this->vcpu[kLast].server.time();
  // Twice what an end costs is left: less than the handler takes.
  constexpr uint32_t kLeft = 2 * (kEntry + kSwitch);
  TestFixture::Port::pass(500 - kLeft - kEntry - kSwitch);
  this->handler({{100, kFirst}}, kLength);
  EXPECT_EQ(this->paid(kLast), static_cast<int>(500 - kLeft));
  TestFixture::System::suspend_self();
  ASSERT_EQ(TestFixture::System::core(0).current, &this->thread[kLast]);
  EXPECT_EQ(this->vcpu[kLast].server.time(), whole);
}

/// An alarm's handler is a part of the timer's interrupt, which its thread pays for once.
TYPED_TEST(WakingHandler, AnAlarmsHandlerDoesNotSpareTheThreadThatItWakes) {
  using System = typename TestFixture::System;
  using Port = typename TestFixture::Port;
  for (const bool counted : {false, true}) {
    this->run(kLast);
    typename System::Alarm alarm;
    static typename System::Thread* woken;
    static bool counts;
    woken = &this->thread[kFirst];
    counts = counted;
    alarm.handler = [](void*) {
      TypeParam::began = System::now();
      TypeParam::runs = counts;
      Port::pass(50);
      System::resume(*woken);
      Port::pass(50);
      if (counts) System::pass_over(TypeParam::began, System::InHandler::here());
      TypeParam::runs = false;
    };
    alarm.due = System::now();
    ASSERT_TRUE(System::start_alarm(alarm));
    const auto before = this->paid(kLast);
    Port::masked = Port::handler = true;
    Port::pass(kEntry);
    System::on_timer();
    Port::handler = false;
    Port::pass(kSwitch);
    System::after_interrupt();
    Port::masked = false;
    ASSERT_EQ(System::core(0).current, &this->thread[kFirst]);
    Port::pass(kBehind);
    System::suspend_self();
    const uint32_t handler = counted ? 0 : 50;  // who is woken pays for the rest of it
    EXPECT_GE(this->paid(kFirst), static_cast<int>(handler + kBehind + 2 * kSwitch)) << counted;
    EXPECT_LE(this->paid(kFirst), static_cast<int>(handler + kBehind + kActivation)) << counted;
    EXPECT_LE(this->paid(kLast) - before, static_cast<int>(handler + kEntry + kSwitch)) << counted;
    System::suspend_self();
    Port::pass(31'000);
  }
}

TYPED_TEST(WakingHandler, IdleTimeIsNoThreads) {
  this->handler({{100, kFirst}}, kLength);
  ASSERT_EQ(TestFixture::System::core(0).current, &this->thread[kFirst]);
  TestFixture::Port::pass(kBehind);
  TestFixture::System::suspend_self();
  EXPECT_GE(this->paid(kFirst), static_cast<int>(kBehind + 2 * kSwitch));
  EXPECT_LE(this->paid(kFirst), static_cast<int>(kBehind + kActivation));
}

}  // namespace
