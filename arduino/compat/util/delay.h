// _delay_ms() and _delay_us(): spin for a fractional time, as in avr-libc.
//
// The time is charged to the loop's budget. delay() sleeps instead.
#pragma once

#ifdef __AVR__
#include_next <util/delay.h>
#else

#include "../../api/Common.h"

#ifdef __cplusplus
extern "C" {
#endif
void _delay_us(double us);
void _delay_ms(double ms);
#ifdef __cplusplus
}
#endif

#endif
