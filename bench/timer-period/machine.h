// The ATmega328P with any clock, timer prescaler and time base, for experiments with time:
//
//   F_CPU             cycles in a second
//   HOCKET_PRESCALER  cycles of a timer tick
//   HOCKET_TICK       microseconds of a tick of the periodic time base; 0: the one-shot base
#pragma once

#include "boards/uno/costs.h"
#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"
#include "kernel/time/periodic_tick.h"
#include "ports/avr8/port.h"

namespace hocket::bench {

/// The Uno's ticks in this clock's. (No admission test is asked for here.)
constexpr int32_t scaled(int32_t ticks) {
  return ticks * 8 / HOCKET_PRESCALER + 1;
}

struct Machine {
  static constexpr uint32_t kCyclesPerSecond = F_CPU;
  static constexpr unsigned kPrescaler = HOCKET_PRESCALER;
  static constexpr port::Costs<int32_t> kCosts = {
      .interrupt_entry = scaled(uno::kCosts.interrupt_entry),
      .context_switch = scaled(uno::kCosts.context_switch),
      .timer_interrupt = scaled(uno::kCosts.timer_interrupt),
      .timer_lateness = scaled(uno::kCosts.timer_lateness),
      .longest_masked = scaled(uno::kCosts.longest_masked)};
  [[noreturn]] static void halt(const char*) {
    for (;;) asm volatile("cli\n sleep" ::: "memory");
  }
};

using Hardware = avr8::Avr8Port<Machine>;
#if HOCKET_TICK == 0
using Port = Hardware;
#else
using Port = PeriodicTick<Hardware, every(Microseconds(HOCKET_TICK))>;
#endif

struct Config {
  static constexpr unsigned kMaxAlarms = 1;
  static constexpr KernelOptions kOptions{.statistics = false};
  static constexpr unsigned kSlots = 1;
  using Trace = NoTrace;
  template <class Observer>
  using Policy = VcpuPolicy<Port::Ticks, kSlots, 2, Observer, PortCharges<Port>>;
};
using System = Kernel<Port, Config>;

/// Masked: the clock, the time base and the kernel, without threads yet.
inline void start() {
  Port::irq_save();  // until the idle thread waits
  Port::start();
#if HOCKET_TICK != 0
  Port::start_ticking();
#endif
  System::init_core(0, Config::kSlots);
}

/// What the timer's interrupt calls.
inline void timer_interrupt() {
#if HOCKET_TICK == 0
  System::on_timer();
#else
  Port::on_tick([] { System::on_timer(); });
#endif
}

}  // namespace hocket::bench

/// What the port calls, once in an image.
#define HOCKET_BENCH_MACHINE()                         \
  HOCKET_AVR8_VECTORS(hocket::bench::Port, [] {})      \
  extern "C" void hocket_timer_interrupt() {           \
    hocket::bench::timer_interrupt();                  \
  }                                                    \
  extern "C" void hocket_reschedule_interrupt() {      \
    hocket::bench::System::on_reschedule();            \
  }                                                    \
  extern "C" void hocket_interrupt_exit() {            \
    hocket::bench::System::after_interrupt();          \
  }                                                    \
  extern "C" void hocket_stack_overflow() {            \
    hocket::bench::Machine::halt("a stack overflows"); \
  }
