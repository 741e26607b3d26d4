// Handlers of alarms in the interrupt of the timer: what the sketch and the kernel call of each
// other.
#pragma once

#include <stdint.h>

namespace hocket::uno {

/// When the first event is due, in ticks: `after` the low half of `now`, 0: it is already.
struct NextAlarm {
  static constexpr uint32_t kNone = UINT32_MAX;  // there is no event
  static constexpr uint32_t kFar =
      0x40000000;  // or a later one: instants of the kernel have 32 bits
  uint32_t now, after;

  void set(uint64_t at, uint64_t next) {
    now = static_cast<uint32_t>(at);
    after = kNone;
    if (next == UINT64_MAX) return;
    const uint64_t ticks = next - at;
    after = next <= at ? 0 : ticks > kFar ? kFar : static_cast<uint32_t>(ticks);
  }
};

}  // namespace hocket::uno

extern "C" {
// The sketch's side (hocket/Alarm.h), for the kernel:
/// Calls the handler whose turn it is, if an event is due. `next` is for then, with the time from
/// before the call.
void hocket_call_alarm(hocket::uno::NextAlarm& next) __attribute__((weak));
void hocket_next_alarm(hocket::uno::NextAlarm& next) __attribute__((weak));

// The kernel's side (kernel_alarms.h):
/// Another alarm may be the first one.
void hocket_alarms_changed();
/// Handlers of alarms are being called.
extern bool hocket_in_alarm;
}
