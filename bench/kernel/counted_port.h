// A processor with nothing behind it: one core, a clock that the workload sets, one alarm.
//
// `context_switch` returns at once: the workload plays the threads itself, so it just goes on as
// whichever thread the kernel has made current. What is counted is therefore the kernel alone,
// without registers being saved.
#pragma once

#include <cstdlib>

#include "ports/contract/port.h"

namespace hocket::bench {

struct CountedPort : port::NoLines, port::NoDomains {
  using IrqState = bool;
  using Ticks = int64_t;
  struct Context {};
  struct Lock {};

  static constexpr unsigned kCores = 1;
  static constexpr port::Options kOptions{};
  static constexpr uint64_t kTickHz = 1'000'000'000;
  static constexpr size_t kStackAlignment = 16;
  static constexpr size_t kSmallestStack = 16;
  static constexpr Ticks kNoAlarm = INT64_MAX;

  static inline Ticks clock = 0;
  static inline Ticks alarm = kNoAlarm;
  static inline bool masked = false;
  static inline bool rescheduled = false;

  static IrqState irq_save() {
    const bool before = masked;
    masked = true;
    return before;
  }
  static void irq_restore(IrqState before) { masked = before; }
  static void irq_enable() { masked = false; }
  static bool in_irq() { return false; }

  static void context_init(Context&, port::Stack, port::Entry, void*, Domain) {}
  static void context_switch(Context&, const Context&) {}

  static Ticks now() { return clock; }
  static void alarm_set(Ticks instant) { alarm = instant; }
  static void alarm_off() { alarm = kNoAlarm; }
  static constexpr port::Costs<Ticks> costs() { return {}; }

  static unsigned core_count() { return 1; }
  static CoreId core_id() { return 0; }
  static void send_reschedule(CoreId) { rescheduled = true; }
  static void lock(Lock&) {}
  static void unlock(Lock&) {}
  static void relax() {}
  static void idle_wait() {}
  [[noreturn]] static void halt(const char*) { std::abort(); }
};

}  // namespace hocket::bench
