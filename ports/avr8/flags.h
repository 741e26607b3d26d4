// Flags of the port in GPIOR0, where setting and testing a bit is one instruction. switch.S and
// clock.S know them, and so does who looks from outside (simulation/uno).
#pragma once

#include <stdint.h>

namespace hocket::avr8 {

inline constexpr uint16_t kFlagsAddress = 0x3e;  // GPIOR0 in data memory

inline constexpr uint8_t kInIrq = 0;     // the kernel works for interrupts, on main()'s stack
inline constexpr uint8_t kFarAlarm = 1;  // the alarm waits for the counter to come round
inline constexpr uint8_t kIdle = 2;      // nobody runs
inline constexpr uint8_t kKernel = 3;    // a section of the kernel is open: nobody enters another
// What came meanwhile is acted upon at its end (hocket_pending):
inline constexpr uint8_t kTimerDue = 4;       // the alarm's interrupt
inline constexpr uint8_t kRescheduleDue = 5;  // the reschedule interrupt
inline constexpr uint8_t kRecorded = 6;       // device handlers have recorded wake-ups
inline constexpr uint8_t kSwitch = 7;  // the switch that this has come to, to be made at its end

}  // namespace hocket::avr8
