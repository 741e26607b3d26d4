// Numbers that this folder's assembler shares with C++, which asserts each of them where it defines
// what the number means.
#pragma once

/* Offsets in a PinChanges, and the size of its head and of a handler (pin_change.h). */
#define HOCKET_CHANGES_LAST 0
#define HOCKET_CHANGES_RISING 1
#define HOCKET_CHANGES_FALLING 2
#define HOCKET_CHANGES_HANDLERS 3

/* Arduino's numbers of modes (arduino/api/Common.h), asserted in pin_change.h. */
#define HOCKET_MODE_CHANGE 1
#define HOCKET_MODE_FALLING 2
#define HOCKET_MODE_RISING 3

/* The first port's bit in Storm::attached (storm.h): behind the pins with interrupts of their own.
 */
#ifdef __AVR_ATmega2560__
#define HOCKET_FIRST_PORT 6
#else
#define HOCKET_FIRST_PORT 2
#endif

/* Offsets in a WireTalk, and the values of WireEnd (two_wire.h). */
#define HOCKET_TALK_OUT_SIZE 6
#define HOCKET_TALK_IN_SIZE 7
#define HOCKET_TALK_READS 9
#define HOCKET_TALK_AT 10
#define HOCKET_TALK_STOP 11
#define HOCKET_TALK_SELECTED 12
#define HOCKET_TALK_END 13
#define HOCKET_TALK_BEHIND 14
#define HOCKET_TALK_OUT 16
#define HOCKET_TALK_IN 48
#define HOCKET_WIRE_DONE 0
#define HOCKET_WIRE_NO_DEVICE 2
#define HOCKET_WIRE_NOT_TAKEN 3
#define HOCKET_WIRE_FAILED 4
