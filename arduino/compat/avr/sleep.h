// Sleeping as in avr-libc's <avr/sleep.h>, for processors other than AVR. On AVR this is the chip's
// own header.
//
// A loop that sleeps leaves its core to the others. It wakes within a millisecond, as an Uno wakes
// from idle sleep by its timer 0. So wait as on the Uno: `while (!done) sleep_mode();`. Deeper
// sleep modes, from which only a pin wakes an Uno, are compile errors.
#pragma once

#ifdef __AVR__
#include_next <avr/sleep.h>
#else

#include "../../api/Common.h"

#ifdef __cplusplus
extern "C" {
#endif
/// Never called: naming a deeper sleep mode gives this compile error.
__attribute__((
    error("a pin cannot wake this board from this sleep mode: use SLEEP_MODE_IDLE in a loop "
          "that checks a flag of the handler, or a Semaphore that the handler gives"))) int
hocket_deeper_sleep(void);
#ifdef __cplusplus
}
#endif

#define SLEEP_MODE_IDLE 0
#define SLEEP_MODE_ADC hocket_deeper_sleep()
#define SLEEP_MODE_PWR_DOWN hocket_deeper_sleep()
#define SLEEP_MODE_PWR_SAVE hocket_deeper_sleep()
#define SLEEP_MODE_STANDBY hocket_deeper_sleep()
#define SLEEP_MODE_EXT_STANDBY hocket_deeper_sleep()

static inline void set_sleep_mode(int mode) {
  (void)mode;
}
static inline void sleep_enable(void) {}
static inline void sleep_disable(void) {}
static inline void sleep_bod_disable(void) {}
/// Blocks for a millisecond at most.
static inline void sleep_cpu(void) {
  delay(1);
}
/// Same as sleep_cpu().
static inline void sleep_mode(void) {
  sleep_cpu();
}

#endif
