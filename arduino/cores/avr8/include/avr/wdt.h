// The watchdog, as in avr-libc's <avr/wdt.h>, whose inline code clang cannot compile (an address in
// its branch for other processors is out of range).
//
// A change takes effect only within four cycles of its announcement (ATmega328P data sheet, section
// 11.8.2), so interrupts are masked meanwhile.
#pragma once

#ifndef __clang__
#include_next <avr/wdt.h>
#else

#include <avr/io.h>
#include <stdint.h>

// Names with which libraries program the watchdog directly.
#define _WD_PS3_MASK _BV(WDP3)
#define _WD_CONTROL_REG WDTCSR
#define _WD_CHANGE_BIT WDCE

/// Times at 5 V. The watchdog has its own oscillator, which is off by some percent.
#define WDTO_15MS 0
#define WDTO_30MS 1
#define WDTO_60MS 2
#define WDTO_120MS 3
#define WDTO_250MS 4
#define WDTO_500MS 5
#define WDTO_1S 6
#define WDTO_2S 7
#define WDTO_4S 8
#define WDTO_8S 9

// avr-libc's names of the register and its bits.
#define _WD_CONTROL_REG WDTCSR
#define _WD_CHANGE_BIT WDCE
#define _WD_PS3_MASK _BV(WDP3)

/// Restarts the timeout.
#define wdt_reset() __asm__ __volatile__("wdr" ::: "memory")

#ifdef __cplusplus
extern "C" {
#endif

static inline void hocket_change_watchdog(uint8_t announced, uint8_t value) {
  __asm__ __volatile__(
      "in __tmp_reg__, __SREG__\n\t"
      "cli\n\t"
      "wdr\n\t"
      "sts %[control], %[announced]\n\t"
      "sts %[control], %[value]\n\t"
      "out __SREG__, __tmp_reg__"
      :
      : [control] "n"(_SFR_MEM_ADDR(WDTCSR)), [announced] "r"(announced), [value] "r"(value)
      : "r0", "memory");
}

/// Resets the processor unless wdt_reset() is called within each `timeout` (WDTO_…).
static inline void wdt_enable(uint8_t timeout) {
  const uint8_t time = (uint8_t)((timeout & 0x08 ? _BV(WDP3) : 0) | (timeout & 0x07));
  hocket_change_watchdog(_BV(WDCE) | _BV(WDE), (uint8_t)(_BV(WDE) | time));
}

/// After a reset by the watchdog, first clear WDRF in MCUSR: it keeps the watchdog enabled.
static inline void wdt_disable(void) {
  hocket_change_watchdog((uint8_t)(WDTCSR | _BV(WDCE) | _BV(WDE)), 0);
}

#ifdef __cplusplus
}
#endif

#endif
