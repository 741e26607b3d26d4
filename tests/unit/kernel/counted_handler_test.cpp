// Handlers that others may interrupt, and whose time the analysis counts: nobody pays for them, not
// even where it is decided in their middle that somebody else runs.
#include <gtest/gtest.h>

#include "check_failed.h"
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

}  // namespace
