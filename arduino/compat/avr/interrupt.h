// sei() and cli() for sketches written for AVR: they hold pin handlers back, as interrupts() does.
//
// ISR(vector) names an interrupt vector of an AVR chip; elsewhere it is refused while compiling.
#pragma once

#include "../../api/Interrupts.h"

#undef sei
#undef cli
#define sei() interrupts()
#define cli() noInterrupts()

#ifndef __AVR__
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
