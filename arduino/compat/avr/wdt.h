// The watchdog, as in avr-libc's <avr/wdt.h>, for processors other than AVR. The Uno has its own
// header.
//
// There is no watchdog here. A loop that hangs disturbs no other loop, and the report shows it.
// Libraries that reset or disable the watchdog work; enabling it is a compile error.
#pragma once

#ifdef __AVR__
#include_next <avr/wdt.h>
#else

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

#ifdef __cplusplus
extern "C" {
#endif
/// Never called: enabling the watchdog gives this compile error.
__attribute__((
    error("this board has no watchdog: leave wdt_enable() out. A loop that hangs takes no more "
          "than its budget, and HOCKET_ON_FAULT() chooses what follows a fault"))) void
wdt_enable(int timeout);
#ifdef __cplusplus
}
#endif

static inline void wdt_reset(void) {}
static inline void wdt_disable(void) {}

#endif
