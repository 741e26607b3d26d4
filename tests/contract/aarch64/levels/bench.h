// A kernel for the tests of the two levels: its threads, and the sources of interrupts.
//
// High is above everything; low is the tester, best-effort. The physical timer is a real-time
// source that the kernel does not know (as a pin would be), the line an ordinary one.
#pragma once

#include "bare_image.h"
#include "kernel/base/construct.h"
#include "kernel/base/text.h"
#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/semaphore.h"
#include "levels/line.h"

namespace hocket::levels {

inline constexpr unsigned kSlots = 10;

struct Config {
  static constexpr unsigned kMaxAlarms = 4;
  static constexpr KernelOptions kOptions;
  using Trace = NoTrace;
  template <class Observer>
  using Policy =
      VcpuPolicy<Ticks, kSlots, 16, Observer>;  // order is tested, not budgets: nothing is charged
};
using K = Kernel<Port, Config>;
using Instant = K::Instant;
using Duration = K::Duration;
using Sem = Semaphore<K, Port>;

template <class... Pieces>
void line(const Pieces&... pieces) {
  bare::print(Text<120>(pieces..., "\n").c_str());
}

inline constexpr Ticks kMicrosecond = Port::kTickHz / 1'000'000;

/// A thread on a virtual CPU of its own; the lower the slot, the higher the priority.
struct Worker {
  void start(uint16_t slot, Ticks budget_us, Ticks period_us, void (*entry)(void*)) {
    K::add(vcpu, slot, Duration(budget_us * kMicrosecond), Duration(period_us * kMicrosecond),
           K::now());
    vcpu.deadline = Duration(period_us * kMicrosecond);
    create(entry);
  }
  void create(void (*entry)(void*)) {
    K::create(thread, vcpu, {stack, sizeof stack}, entry, nullptr);
    thread.meter.start(K::now(), Duration(0));
    K::start(thread, K::now());
  }

  K::Vcpu vcpu;
  K::Thread thread;
  alignas(Port::kStackAlignment) unsigned char stack[16 * 1024];
};

/// order.cpp: what happens when the two levels meet.
void test_order();
/// kernel_latency.cpp: alarms while threads use the kernel.
void measure_kernel();

/// What the port's reschedule interrupt does besides, in order.cpp.
extern void (*on_timer)();
extern void (*on_reschedule)();

}  // namespace hocket::levels
