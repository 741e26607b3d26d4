// Numbers that switch.S and clock.S share with C++. The C++ side takes or asserts each of them
// where it defines what the number means, so neither side has a copy.
#pragma once

#define HOCKET_PAINT 0xa5 /* port.h */

/* Bits of GPIOR0 (flags.h). */
#define HOCKET_IN_IRQ 0
#define HOCKET_FAR_ALARM 1
#define HOCKET_IDLE 2
#define HOCKET_KERNEL 3
#define HOCKET_TIMER_DUE 4
#define HOCKET_RESCHEDULE_DUE 5
#define HOCKET_RECORDED 6
#define HOCKET_SWITCH 7

/* Ticks that the core charges (arduino/cores/avr8): storm.h, kernel_costs.h. An ATmega2560 takes
   longer: it returns to addresses of three bytes, and an interrupt saves RAMPZ. */
#ifdef __AVR_ATmega2560__
#define HOCKET_PIN_FRAME 32
#define HOCKET_DEVICES_TOOK (4 * 12 + 23)
#else
#define HOCKET_PIN_FRAME 30
#define HOCKET_DEVICES_TOOK (4 * 11 + 21)
#endif
