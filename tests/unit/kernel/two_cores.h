// A kernel on a processor that a test turns by hand: two cores, a circular clock, locks that know
// who holds them. Contexts are not switched: the test goes on as whoever the kernel has made
// current.
#pragma once

#include <stdexcept>
#include <vector>

#include "check_failed.h"
#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"

namespace hocket::two_cores {

struct Port : port::NoLines, port::NoDomains {
  using IrqState = bool;
  using Ticks = int32_t;
  struct Context {};
  struct Lock {
    int holder = -1;
  };

  static constexpr unsigned kCores = 2;
  static constexpr uint32_t kTickHz = 1'000'000;
  static constexpr size_t kStackAlignment = 16;
  static constexpr size_t kSmallestStack = 16;

  static inline CoreId on = 0;  // which core the test is
  static inline Ticks clock = 0;
  static inline bool masked = false;
  static inline bool handler = false;
  static inline std::vector<CoreId> asked;  // reschedule interrupts that were sent
  static inline unsigned switches = 0;

  static IrqState irq_save() {
    const bool before = masked;
    masked = true;
    return before;
  }
  static void irq_restore(IrqState before) { masked = before; }
  static void irq_enable() { masked = false; }
  static bool in_irq() { return handler; }

  static void context_init(Context&, port::Stack, port::Entry, void*, Domain) {}
  static void context_switch(Context&, const Context&) { ++switches; }

  static Ticks now() { return clock; }
  static void pass(uint32_t ticks) {
    clock = static_cast<Ticks>(static_cast<uint32_t>(clock) + ticks);
  }
  static void alarm_set(Ticks) {}
  static void alarm_off() {}
  static constexpr port::Costs<Ticks> costs() {
    return {.interrupt_entry = 2,
            .context_switch = 3,
            .timer_interrupt = 4,
            .timer_lateness = 1,
            .longest_masked = 9};
  }

  static unsigned core_count() { return kCores; }
  static CoreId core_id() { return on; }
  static void send_reschedule(CoreId core) { asked.push_back(core); }
  static void lock(Lock& lock) {
    if (lock.holder != -1) throw std::logic_error("a lock that is held for ever");
    lock.holder = on;
  }
  static void unlock(Lock& lock) {
    if (lock.holder != on) throw std::logic_error("a lock that this core does not hold");
    lock.holder = -1;
  }
  static void relax() {}
  static void idle_wait() {}
  [[noreturn]] static void halt(const char* reason) { throw std::logic_error(reason); }
};

struct NoEvents {
  static void record(const Event&) {}
};

struct Config {
  static constexpr unsigned kMaxAlarms = 2;
  using Trace = NoEvents;
  template <class Observer>
  using Policy = VcpuWithIoPolicy<Port::Ticks, 4, 3, Observer, PortCharges<Port>>;
};
using System = Kernel<Port, Config>;

/// One virtual CPU with a thread on each core; both threads run.
struct Machine {
  Machine() {
    Port::clock = 0x7fffff00;  // it wraps soon
    Port::handler = Port::masked = false;
    for (CoreId core : {0, 1}) {
      Port::on = core;
      System::init_core(core, 4);
      vcpu[core].core = core;
      System::add(vcpu[core], uint8_t{1}, System::Duration(500), System::Duration(2000),
                  System::now());
      System::create(thread[core], vcpu[core], {}, nullptr, nullptr);
      System::start(thread[core], System::now());
      interrupt();
    }
    go_to(0);
  }

  void go_to(CoreId core) {
    Port::on = core;
    Port::asked.clear();
    Port::switches = 0;
  }
  /// The reschedule interrupt of the core that the test is, from entry to exit.
  static void interrupt() {
    Port::masked = Port::handler = true;
    System::on_reschedule();
    Port::handler = false;
    System::after_interrupt();
    Port::masked = false;
  }
  System::Thread* current(CoreId core) const { return System::core(core).current; }
  System::Thread* idle(CoreId core) const { return &System::idle(core); }
  /// Nothing is left behind by a call.
  bool all_unlocked() const {
    return !Port::masked && System::core(0).lock.holder == -1 && System::core(1).lock.holder == -1;
  }

  System::Vcpu vcpu[2];
  System::Thread thread[2];
};

}  // namespace hocket::two_cores
