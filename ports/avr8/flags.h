// Flags of the port in GPIOR0, where one instruction sets or tests a bit. switch.S and clock.S use
// the same bits, as does the simulator (simulation/avr).
#pragma once

#include <stdint.h>

namespace hocket::avr8 {

inline constexpr uint16_t kFlagsAddress = 0x3e;  // GPIOR0 in data memory

inline constexpr uint8_t kInIrq = 0;     // the kernel works for interrupts, on main()'s stack
inline constexpr uint8_t kFarAlarm = 1;  // the alarm waits until the counter has wrapped
inline constexpr uint8_t kIdle = 2;      // no thread runs
inline constexpr uint8_t kKernel = 3;    // a section of the kernel is open; no other may begin
// Events during a section, which its end acts upon (hocket_pending):
inline constexpr uint8_t kTimerDue = 4;       // the alarm's interrupt
inline constexpr uint8_t kRescheduleDue = 5;  // the reschedule interrupt
inline constexpr uint8_t kRecorded = 6;       // device handlers have recorded wake-ups
inline constexpr uint8_t kSwitch = 7;         // the resulting switch, to be made at the end

}  // namespace hocket::avr8
