// sei(), cli() and ISR() for sketches written for AVR. On AVR they are avr-libc's. Elsewhere sei()
// and cli() release or hold back pin handlers, and ISR() is a compile error.
#pragma once

#include "../../api/Interrupts.h"

#undef sei
#undef cli

#ifdef __AVR__

#define sei() HOCKET_SEI_()
#define cli() HOCKET_CLI_()

#include <avr/io.h>

// avr-libc's own macros use an attribute that clang does not know. A handler runs masked, on the
// stack of the interrupted code. (avr-libc 2.0, <avr/interrupt.h>.)
#ifdef __cplusplus
#define HOCKET_C_LINKAGE_ extern "C"
#else
#define HOCKET_C_LINKAGE_ extern
#endif

#define ISR(vector, ...)                                                         \
  HOCKET_C_LINKAGE_ void vector(void) __attribute__((signal, used)) __VA_ARGS__; \
  void vector(void)
#define SIGNAL(vector) ISR(vector)
#define ISR_BLOCK
#define ISR_NOBLOCK __attribute__((interrupt))
#define ISR_NAKED __attribute__((naked))
#define HOCKET_TEXT_(name) #name
#define HOCKET_TEXT_OF_(name) HOCKET_TEXT_(name)
#define ISR_ALIASOF(target) __attribute__((alias(HOCKET_TEXT_OF_(target))))
#define ISR_ALIAS(vector, target)                 \
  ISR(vector, ISR_NAKED) {                        \
    asm volatile("jmp " HOCKET_TEXT_OF_(target)); \
  }
#define EMPTY_INTERRUPT(vector) \
  ISR(vector, ISR_NAKED) {      \
    asm volatile("reti");       \
  }
#define BADISR_vect __vector_default
#define reti() asm volatile("reti")

#else

#define sei() interrupts()
#define cli() noInterrupts()
#define ISR(vector, ...)                                                                  \
  _Static_assert(0, "ISR(" #vector                                                        \
                    ") is an interrupt vector of an AVR chip, which this board "          \
                    "does not have: use tone(), pulseIn() or a loop of its own instead"); \
  static inline void hocket_isr_##vector(void)
#ifdef __cplusplus
#undef ISR
#define ISR(vector, ...)                                                                     \
  static_assert(false, "ISR(" #vector                                                        \
                       ") is an interrupt vector of an AVR chip, which this board "          \
                       "does not have: use tone(), pulseIn() or a loop of its own instead"); \
  [[maybe_unused]] static void hocket_isr_##vector()
#endif

#endif
