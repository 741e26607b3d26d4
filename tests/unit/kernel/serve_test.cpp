// Work that is done in an interrupt on an I/O virtual CPU's account, beside other threads of the
// virtual CPUs that have to do with it.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace hocket::two_cores
