// Pin interrupts: attaches, detaches and holds back handlers (docs/reference/interrupts.md).
//
// noInterrupts() holds handlers back on every core. Loops are scheduled as usual, so it does not
// protect data that two loops share. A Channel, a Ringbuf or a Spinlock does.
#pragma once

#include "Common.h"

#define NOT_AN_INTERRUPT (-1)

#if defined(__clang__) && !defined(HOCKET_PIN_INTERRUPTS)
#define HOCKET_NO_INTERRUPT_(name)                                                         \
  __attribute__((unavailable(name                                                          \
                             " is not in this release of Hocket yet: pin interrupts come " \
                             "later. Until then read the pin in a loop of its own, for "   \
                             "example void loop(2, 1ms, 5ms) { if (digitalRead(pin)) ... }")))
#else
#define HOCKET_NO_INTERRUPT_(name)
#endif

#ifdef __cplusplus
extern "C" {
#endif

void interrupts(void);
void noInterrupts(void);

void attachInterrupt(int interrupt, voidFuncPtr handler, int mode)
    HOCKET_NO_INTERRUPT_("attachInterrupt()");
void attachInterruptParam(int interrupt, voidFuncPtrParam handler, int mode, void* parameter)
    HOCKET_NO_INTERRUPT_("attachInterruptParam()");
void detachInterrupt(int interrupt) HOCKET_NO_INTERRUPT_("detachInterrupt()");

#ifdef __cplusplus
}  // extern "C"
#endif

#ifdef __AVR__
// One instruction each. The functions exist for a sketch that takes their address.
#define HOCKET_SEI_() __asm__ __volatile__("sei" ::: "memory")
#define HOCKET_CLI_() __asm__ __volatile__("cli" ::: "memory")
#define interrupts() HOCKET_SEI_()
#define noInterrupts() HOCKET_CLI_()
#endif
