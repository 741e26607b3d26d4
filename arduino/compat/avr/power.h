// Powers parts of the chip down and up, as in avr-libc's <avr/power.h>. On AVR this is the chip's
// own header. Elsewhere the calls do nothing, and everything keeps working.
#pragma once

#ifdef __AVR__
#include_next <avr/power.h>
#else

static inline void power_adc_enable(void) {}
static inline void power_adc_disable(void) {}
static inline void power_spi_enable(void) {}
static inline void power_spi_disable(void) {}
static inline void power_timer0_enable(void) {}
static inline void power_timer0_disable(void) {}
static inline void power_timer1_enable(void) {}
static inline void power_timer1_disable(void) {}
static inline void power_timer2_enable(void) {}
static inline void power_timer2_disable(void) {}
static inline void power_twi_enable(void) {}
static inline void power_twi_disable(void) {}
static inline void power_usart0_enable(void) {}
static inline void power_usart0_disable(void) {}
static inline void power_all_enable(void) {}
static inline void power_all_disable(void) {}

#endif
