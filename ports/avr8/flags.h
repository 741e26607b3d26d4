// Flags of the port in GPIOR0, where one instruction sets or tests a bit. switch.S and clock.S use
// the same bits, as does the simulator (simulation/avr).
#pragma once

#include <stdint.h>

#include "ports/avr8/switch_numbers.h"

namespace hocket::avr8 {

inline constexpr uint16_t kFlagsAddress = 0x3e;  // GPIOR0 in data memory

inline constexpr uint8_t kInIrq =
    HOCKET_IN_IRQ;  // the kernel works for interrupts, on main()'s stack
inline constexpr uint8_t kFarAlarm =
    HOCKET_FAR_ALARM;                          // the alarm waits until the counter has wrapped
inline constexpr uint8_t kIdle = HOCKET_IDLE;  // no thread runs
inline constexpr uint8_t kKernel =
    HOCKET_KERNEL;  // a section of the kernel is open; no other may begin
// Events during a section, which its end acts upon (hocket_pending):
inline constexpr uint8_t kTimerDue = HOCKET_TIMER_DUE;            // the alarm's interrupt
inline constexpr uint8_t kRescheduleDue = HOCKET_RESCHEDULE_DUE;  // the reschedule interrupt
inline constexpr uint8_t kRecorded = HOCKET_RECORDED;  // device handlers have recorded wake-ups
inline constexpr uint8_t kSwitch = HOCKET_SWITCH;  // the resulting switch, to be made at the end

}  // namespace hocket::avr8
