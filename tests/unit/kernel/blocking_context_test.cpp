// What may block is for threads only: in an interrupt handler it would block whoever was
// interrupted. Builds with checks say so at the entry, whether it would have blocked or not.
#include <functional>

#include "check_failed.h"
#include "kernel/task/semaphore.h"

namespace hocket {
namespace {

/// A processor that is in a handler or is not.
struct FakePort {
  struct Lock {};
  using IrqState = bool;
  inline static bool handling = false;
  static bool in_irq() { return handling; }
  static IrqState irq_save() { return false; }
  static void irq_restore(IrqState) {}
  static void lock(Lock&) {}
  static void unlock(Lock&) {}
};

struct FakeVcpu {
  unsigned slot = 1;
};
struct FakeThread : ListNode<FakeThread> {
  FakeVcpu* vcpu = nullptr;
  void* exchange = nullptr;
};

/// A kernel of one thread, for which waiting is over at once.
struct FakeKernel {
  using Vcpu = FakeVcpu;
  using Thread = FakeThread;
  struct Policy {
    using Slot = unsigned;
    static bool precedes(const Vcpu&, const Vcpu&) { return false; }
  };

  inline static Vcpu vcpu;
  inline static Thread thread;
  inline static unsigned waits = 0;
  static Thread& self() { return thread; }
  template <class Enqueue>
  static void wait(Enqueue) {
    ++waits;
  }
  static void wake(Thread&) {}
};

using TestSemaphore = Semaphore<FakeKernel, FakePort>;

class BlockingContext : public testing::Test {
 protected:
  BlockingContext() {
    FakeKernel::thread.vcpu = &FakeKernel::vcpu;
    FakeKernel::waits = 0;
  }
  ~BlockingContext() override { FakePort::handling = false; }

  /// A thread may; a handler may not, and has changed nothing then.
  static void for_threads_only(const std::function<void()>& call) {
    const unsigned before = FakeKernel::waits;
    FakePort::handling = true;
    EXPECT_THROW(call(), CheckFailed);
    EXPECT_EQ(FakeKernel::waits, before);
    FakePort::handling = false;
    EXPECT_NO_THROW(call());
  }
};

TEST_F(BlockingContext, OfASemaphore) {
  TestSemaphore free(2);
  for_threads_only([&] { free.wait(); });
  EXPECT_TRUE(free.try_wait());  // a refused wait() has taken nothing
  TestSemaphore taken(0);
  for_threads_only([&] { taken.wait(); });
  EXPECT_EQ(FakeKernel::waits, 1u);
}

TEST_F(BlockingContext, WhatDoesNotBlockIsForHandlersToo) {
  FakePort::handling = true;
  TestSemaphore semaphore(0);
  EXPECT_NO_THROW(semaphore.signal());
  EXPECT_TRUE(semaphore.try_wait());
}

}  // namespace
}  // namespace hocket
