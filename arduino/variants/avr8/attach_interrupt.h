// attachInterrupt() with the number of an interrupt, on all boards with an AVR. The chip's
// pin_interrupts.h has defined is_external(), is_change(), attach_change(), detach_change() and:
//
//   HOCKET_IS_INTERRUPT_(n)     whether a pin has this interrupt
//   HOCKET_INTERRUPTS_ARE_      text: the interrupts that pins have
//   HOCKET_LEVEL_PINS_ARE_      text: the pins with interrupts of their own
#pragma once

#include "api/Interrupts.h"

// Compile-time checks. A number that is not known at compile time and is wrong changes nothing.
#define HOCKET_REFUSE_INTERRUPT_(number)        \
  HOCKET_REFUSE_(!HOCKET_IS_INTERRUPT_(number), \
                 "no pin of " HOCKET_BOARD_IS   \
                 " has this interrupt: it is " HOCKET_INTERRUPTS_ARE_)
#define HOCKET_REFUSE_LEVEL_(number, mode)                                                      \
  HOCKET_REFUSE_((number) >= HOCKET_PIN_CHANGES_FROM && (mode) != CHANGE && (mode) != RISING && \
                     (mode) != FALLING,                                                         \
                 "only " HOCKET_LEVEL_PINS_ARE_ " of " HOCKET_BOARD_IS                          \
                 " interrupt while they are LOW; the others take "                              \
                 "RISING, FALLING or CHANGE")
#define HOCKET_REFUSE_MODE_(number, mode)                                                  \
  HOCKET_REFUSE_(((number) >= 0 && (number) < HOCKET_PIN_CHANGES_FROM) && (mode) != LOW && \
                     (mode) != CHANGE && (mode) != RISING && (mode) != FALLING,            \
                 HOCKET_BOARD_IS                                                           \
                 " has no such mode of an interrupt: it is RISING, FALLING, CHANGE or LOW")
#define HOCKET_REFUSE_NULL_(handler) \
  HOCKET_REFUSE_((handler) == nullptr, "no handler is attached by a null pointer")

/// Marks in the image which of the pins with interrupts of their own get handlers, for
/// arduino/cores/avr8/image/declared.cpp.
#define HOCKET_ATTACHES_(interrupt) \
  asm volatile(".weak hocket_attaches_%0\n.set hocket_attaches_%0, 1" ::"i"(interrupt))

extern "C" {
// Each is linked only if it is used (arduino/cores/avr8/{interrupts,interrupt_param,any_*}.cpp).
void hocket_attach_external(uint8_t interrupt, voidFuncPtr handler, int mode);
void hocket_attach_external_param(uint8_t interrupt, voidFuncPtrParam handler, int mode,
                                  void* argument);
void hocket_detach_external(uint8_t interrupt);
void hocket_attach_any(int interrupt, voidFuncPtr handler, int mode);
void hocket_attach_any_param(int interrupt, voidFuncPtrParam handler, int mode, void* argument);
void hocket_detach_any(int interrupt);

extern inline __attribute__((always_inline, gnu_inline)) void attachInterrupt(int interrupt,
                                                                              voidFuncPtr handler,
                                                                              int mode)
    HOCKET_REFUSE_INTERRUPT_(interrupt) HOCKET_REFUSE_LEVEL_(interrupt, mode)
        HOCKET_REFUSE_MODE_(interrupt, mode) HOCKET_REFUSE_NULL_(handler) {
  if (!__builtin_constant_p(interrupt)) return hocket_attach_any(interrupt, handler, mode);
  if (hocket::uno::is_external(interrupt)) {
    HOCKET_ATTACHES_(interrupt);
    return hocket_attach_external(static_cast<uint8_t>(interrupt), handler, mode);
  }
  hocket::uno::attach_change(interrupt, hocket::uno::with_argument(handler), nullptr, mode);
}
extern inline __attribute__((always_inline, gnu_inline)) void attachInterruptParam(
    int interrupt, voidFuncPtrParam handler, int mode, void* argument)
    HOCKET_REFUSE_INTERRUPT_(interrupt) HOCKET_REFUSE_LEVEL_(interrupt, mode)
        HOCKET_REFUSE_MODE_(interrupt, mode) HOCKET_REFUSE_NULL_(handler) {
  if (!__builtin_constant_p(interrupt)) {
    return hocket_attach_any_param(interrupt, handler, mode, argument);
  }
  if (hocket::uno::is_external(interrupt)) {
    HOCKET_ATTACHES_(interrupt);
    return hocket_attach_external_param(static_cast<uint8_t>(interrupt), handler, mode, argument);
  }
  hocket::uno::attach_change(interrupt, handler, argument, mode);
}
extern inline __attribute__((always_inline, gnu_inline)) void detachInterrupt(int interrupt)
    HOCKET_REFUSE_INTERRUPT_(interrupt) {
  if (!__builtin_constant_p(interrupt)) return hocket_detach_any(interrupt);
  if (hocket::uno::is_external(interrupt)) {
    return hocket_detach_external(static_cast<uint8_t>(interrupt));
  }
  hocket::uno::detach_change(interrupt);
}
}  // extern "C"
