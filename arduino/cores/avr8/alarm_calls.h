// Alarm handlers in the timer interrupt: the interface between the sketch and the kernel.
#pragma once

#include <stdint.h>

namespace hocket::uno {

/// The instant of the first event, in ticks: `after` the low half of `now`; 0: it is due already.
struct NextAlarm {
  static constexpr uint32_t kNone = UINT32_MAX;  // there is no event
  static constexpr uint32_t kFar = 0x40000000;   // or later: the kernel's instants have 32 bits
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
// Implemented by the sketch (hocket/Alarm.h), called by the kernel:
/// Calls the handler of the earliest alarm if an event is due. `next` is computed with the time
/// from before the call.
void hocket_call_alarm(hocket::uno::NextAlarm& next) __attribute__((weak));
void hocket_next_alarm(hocket::uno::NextAlarm& next) __attribute__((weak));

// Implemented by the kernel (kernel_alarms.h):
/// Call when another alarm may have become the first one.
void hocket_alarms_changed();
/// True while alarm handlers are being called.
extern bool hocket_in_alarm;
}
