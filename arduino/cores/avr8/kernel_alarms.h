// Alarm handlers in the timer interrupt: the kernel's side of board_alarms.h. Included by
// kernel.cpp in the kernel for sketches with such alarms.
//
//   an alarm is due → the timer's interrupt → handlers, while there is budget → the next alarm
//                                           → it is used up: when it is back
//
// Together the handlers get C in every T. Their execution time, including the way into and out of
// the interrupt, is subtracted from C, and C is replenished in each T. The last handler may
// overrun; then the next budgets are shorter by the overrun. The interrupted loop is charged
// nothing: the time that it is spared is charged to the budget of the handlers. Admission counts C
// in every T before all loops. It counts C once more, because two budgets may be used one directly
// after the other, and one handler that overruns (arduino/cores/avr8/image/admission.cpp).
#pragma once

#include "arduino/cores/avr8/alarm_calls.h"
#include "arduino/cores/avr8/alarm_costs.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/machine.h"

extern "C" {
// These symbols are numbers and not addresses: ticks (board_alarms.h).
extern const uint8_t hocket_alarms_budget[] __attribute__((weak));
extern const uint8_t hocket_alarms_period[] __attribute__((weak));
bool hocket_in_alarm;
}
// Weak, for sketches without such alarms. (clang for AVR emits them only as undefined.)
asm(".weak hocket_alarms_budget, hocket_alarms_period, hocket_call_alarm, hocket_next_alarm\n");

namespace hocket::uno {

/// The budget C in consecutive periods T. (The simulator reads times_held, which must be the first
/// byte: simulation/avr/alarm_watch.h.)
struct AlarmAccount {
  /// Replenishes what is due at `now`. If the budget is whole, a period begins with the next use.
  void look(uint32_t now) {
    for (uint32_t passed = now - since_; passed >= period(); passed -= period()) {
      if (used_ == 0) {
        since_ = now;
        return;
      }
      since_ += period();
      used_ = used_ > budget() ? used_ - budget() : 0;
    }
  }
  bool is_used_up() const { return used_ >= budget(); }
  /// The same, with `ticks` more.
  bool uses_up(uint32_t ticks) const { return used_ + ticks >= budget(); }
  void hold() {
    if (times_held != 0xff) ++times_held;
  }
  void take(uint32_t ticks) {
    const uint32_t sum = used_ + ticks;
    used_ = sum > 0xffff ? 0xffff : static_cast<uint16_t>(sum);
  }
  /// After how many ticks from `now` something is replenished, if all is used up. Call look()
  /// first.
  uint32_t back_after(uint32_t now) const {
    const uint32_t passed = now - since_;
    return passed < period() ? period() - passed : 0;
  }

  uint8_t times_held = 0;  // 255: 255 or more

 private:
  static uint16_t budget() { return reinterpret_cast<uint16_t>(hocket_alarms_budget); }
  static uint16_t period() { return reinterpret_cast<uint16_t>(hocket_alarms_period); }

  uint32_t since_ = 0;  // the beginning of the period
  uint16_t used_ = 0;
};
extern "C" {
AlarmAccount hocket_alarm_account;
}

namespace {

constexpr AlarmAccount& alarm_account = hocket_alarm_account;

void serve_alarms(void*);
constinit System::Alarm next_alarm = [] {
  System::Alarm alarm;
  alarm.handler = &serve_alarms;
  return alarm;
}();
NextAlarm next_event;
// The running loop is spared all time from the interrupt's first reading of the clock to the
// second, including the time of pin handlers.
bool all_is_spared = false;
constexpr uint32_t kSoon = 120;  // ticks; an event within this time is treated as due, because the
                                 // interrupt ends later than that

/// Computes the instant of the next timer interrupt. Returns false if there is none.
bool find_next_alarm() {
  uint32_t after = next_event.after;
  if (after == NextAlarm::kNone) return false;
  if (alarm_account.is_used_up()) {
    const uint32_t back = alarm_account.back_after(next_event.now);
    if (after < back) {
      after = back;
      alarm_account.hold();
    }
  }
  next_alarm.due = System::Instant(static_cast<int32_t>(next_event.now + after));
  return true;
}

/// Further alarms are due, or nearly due: calls their handlers while there is budget.
[[gnu::noinline]] void call_others() {
  const uint32_t begin = next_event.now;
  do {
    const uint32_t now = Clock::now();
    if (alarm_account.uses_up(now - begin) || now - next_event.now < next_event.after) return;
    hocket_call_alarm(next_event);
  } while (next_event.after < kSoon);
}

/// In the timer interrupt, on main()'s stack. Device handlers may interrupt it.
void serve_alarms(void*) {
  all_is_spared = true;
  hocket_in_alarm = true;
  const auto due = static_cast<uint32_t>(next_alarm.due.ticks());
  alarm_account.look(due);
  if (alarm_account.is_used_up()) {
    next_event = {due, 0};
  } else {
    hocket_call_alarm(next_event);
    if (next_event.after < kSoon) call_others();
  }
  hocket_in_alarm = false;
}

/// At its end: charges the time that the interrupted loop is spared to the handlers' budget.
template <class LockedCore, class Duration>
void Config::alarms_took(LockedCore& core, Duration took) {
  all_is_spared = false;
  alarm_account.take(static_cast<uint32_t>(took.ticks()));
  if (find_next_alarm()) core->alarms.start(next_alarm);
}

}  // namespace
}  // namespace hocket::uno

/// Before the loops run, their start does the work; in a handler, the end of the interrupt does.
extern "C" void hocket_alarms_changed() {
  using namespace hocket::uno;
  if (!hocket_loops_run || hocket_in_alarm || &hocket_next_alarm == nullptr) return;
  const uint8_t state = Port::irq_save();
  System::cancel_alarm(next_alarm);
  hocket_next_alarm(next_event);
  alarm_account.look(next_event.now);
  if (find_next_alarm()) static_cast<void>(System::start_alarm(next_alarm));
  Port::irq_restore(state);
}
