// Handlers of alarms in the interrupt of the timer: what the sketch and the kernel call of each
// other.
#pragma once

#include <stdint.h>

extern "C" {
// The sketch's side (hocket/Alarm.h), for the kernel:
/// Calls the handler whose turn it is, if an event is due, and says when the first one is due then.
uint64_t hocket_call_alarm(uint64_t now) __attribute__((weak));
/// When the first event is due, in ticks.
uint64_t hocket_next_alarm() __attribute__((weak));

// The kernel's side (kernel_alarms.h):
/// Another alarm may be the first one.
void hocket_alarms_changed();
/// Handlers of alarms are being called.
extern bool hocket_in_alarm;
}
