// Handlers of alarms in the interrupt of the timer: the kernel's side of board_alarms.h. A part of
// kernel.cpp, in the kernel for sketches that have such alarms.
//
//   an alarm is due → the timer's interrupt → handlers, while there is budget → the next alarm
//                                           → it is used up: when it is back
//
// Together the handlers take C in every T. What they take, with the way into the interrupt and out
// of it, is subtracted from C, and C is back T after it was whole. The last handler may go beyond;
// then the next budgets are shorter by that. The interrupted loop is not charged with any of it.
// Admission counts C in every T before all loops. It counts C once more, as two budgets may be used
// one after the other, and one handler that goes beyond (simulation/uno/admission.cpp).
#pragma once

#include "arduino/cores/avr8/alarm_calls.h"
#include "arduino/cores/avr8/alarm_costs.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/machine.h"

extern "C" {
// Numbers, not places: ticks (board_alarms.h).
extern const uint8_t hocket_alarms_budget[] __attribute__((weak));
extern const uint8_t hocket_alarms_period[] __attribute__((weak));
bool hocket_in_alarm;
}
// Where the sketch has no such alarms. (clang for AVR says only that they are undefined.)
asm(".weak hocket_alarms_budget, hocket_alarms_period, hocket_call_alarm, hocket_next_alarm\n");

namespace hocket::uno {

/// (What looks from outside reads times_held, its first byte: simulation/uno/alarm_watch.h.)
struct AlarmAccount {
  /// `now` is in an interrupt that has come for handlers, or to look whether the budget is back.
  void look(uint32_t now) {
    if (now - since_ < period()) return;
    since_ = now;
    used_ = used_ > budget() ? used_ - budget() : 0;
  }
  bool is_used_up() const { return used_ >= budget(); }
  void hold() {
    if (times_held != 0xff) ++times_held;
  }
  void take(uint32_t ticks) {
    const uint32_t sum = used_ + ticks;
    used_ = sum > 0xffff ? 0xffff : static_cast<uint16_t>(sum);
  }
  /// When to look again.
  uint32_t back_at() const { return since_ + period(); }

  uint8_t times_held = 0;  // 255: or more

 private:
  static uint16_t budget() { return reinterpret_cast<uint16_t>(hocket_alarms_budget); }
  static uint16_t period() { return reinterpret_cast<uint16_t>(hocket_alarms_period); }

  uint32_t since_ = 0;  // when it was whole
  uint16_t used_ = 0;
};
extern "C" {
AlarmAccount hocket_alarm_account;
}

namespace {

constexpr AlarmAccount& alarm_account = hocket_alarm_account;

void serve_alarms(void*);
System::Alarm next_alarm;

/// When to come again, where the first event is due at `next`; false: never.
bool find_next_alarm(uint64_t now, uint64_t next) {
  uint32_t at = alarm_account.back_at();
  if (!alarm_account.is_used_up()) {
    if (next == UINT64_MAX) return false;
    at = next <= now ? static_cast<uint32_t>(now) : next_piece(now, next);
  }
  next_alarm.handler = &serve_alarms;
  next_alarm.due = System::Instant(static_cast<int32_t>(at));
  return true;
}

/// In the timer's interrupt, on main()'s stack. Handlers of devices may come in between.
void serve_alarms(void*) {
  hocket_in_alarm = true;
  uint64_t now = Clock::long_now();
  alarm_account.look(static_cast<uint32_t>(now));
  uint64_t next = now;
  while (next <= now && !alarm_account.is_used_up()) {
    next = hocket_call_alarm(now);
    const uint64_t then = Clock::long_now();
    alarm_account.take(static_cast<uint32_t>(then) - static_cast<uint32_t>(now));
    now = then;
  }
  if (next <= now) alarm_account.hold();
  alarm_account.take(kAlarmFrame);
  if (find_next_alarm(now, next)) {
    System::LockedCore::take(System::core(0))->alarms.start(next_alarm);  // one core has no lock
  }
  hocket_in_alarm = false;
}

}  // namespace
}  // namespace hocket::uno

/// Before the loops run, their beginning does it; in a handler, the end of the interrupt.
extern "C" void hocket_alarms_changed() {
  using namespace hocket::uno;
  if (!hocket_loops_run || hocket_in_alarm || &hocket_next_alarm == nullptr) return;
  const uint8_t state = Port::irq_save();
  if (!alarm_account.is_used_up()) {
    System::cancel_alarm(next_alarm);
    if (find_next_alarm(Clock::long_now(), hocket_next_alarm())) {
      static_cast<void>(System::start_alarm(next_alarm));
    }
  }
  Port::irq_restore(state);
}
