// A kernel of nothing but alarms and a clock that a test turns: for what is built on them.
//
// Its clock may have any rate and any width; time passes only in run_until(), which calls the
// alarms' handlers at their instants, late by as much as the test says.
#pragma once

#include "kernel/time/alarm_queue.h"

namespace hocket::testing_time {

template <class Rep, uint64_t kHz>
struct FakePort {
  using Ticks = Rep;
  using IrqState = bool;
  struct Lock {};
  static constexpr uint64_t kTickHz = kHz;
  static constexpr unsigned kCores = 1;

  inline static uint64_t wide = 0;  // the whole truth
  static Ticks now() { return static_cast<Ticks>(wide); }
  static uint64_t long_now() { return wide; }
  static CoreId core_id() { return 0; }
  static bool irq_save() { return false; }
  static void irq_restore(bool) {}
  static void lock(Lock&) {}
  static void unlock(Lock&) {}
};

template <class Rep, uint64_t kHz>
struct FakeKernel {
  using Processor = FakePort<Rep, kHz>;
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  using Alarm = hocket::Alarm<Rep>;
  static constexpr unsigned kMostAlarms = 8;

  inline static AlarmQueue<Rep, kMostAlarms> queue;
  inline static uint64_t late = 0;  // how late handlers are called
  inline static uint64_t slept_until = 0;

  static Instant now() { return Instant(Processor::now()); }
  static bool start_alarm(Alarm& alarm) { return queue.start(alarm); }
  static void cancel_alarm(Alarm& alarm) { queue.cancel(alarm); }
  static void cancel_alarm(Alarm& alarm, CoreId) { queue.cancel(alarm); }

  /// A sleeping thread is not asked how it would sleep; but instants must have an order.
  static void sleep_until(Instant until) {
    const Rep ahead = (until - now()).ticks();
    if (ahead > 0) Processor::wide += static_cast<uint64_t>(ahead);
  }

  static void run_until(uint64_t end) {
    for (;;) {
      const Instant bound = now() + Duration(Instant::quarter_turn().ticks() / 2);
      const Rep ahead = (queue.next(bound) - now()).ticks();
      uint64_t at = Processor::wide + (ahead > 0 ? static_cast<uint64_t>(ahead) : 0) + late;
      if (at > end) break;
      Processor::wide = at;
      queue.run_due(now());
    }
    if (Processor::wide < end) Processor::wide = end;
  }
};

}  // namespace hocket::testing_time
