// The timer that is the kernel's clock, for C++ and for assembler: a 16-bit timer whose PWM pins
// are missed least. An ATmega328P has timer 1 alone (pins 9 and 10 of an Uno). An ATmega2560 has
// four, and timer 5 has the pins that fewest sketches use for PWM: 44 to 46. All of these timers
// have the same bits at the same places, so the names of timer 1's bits hold for each.
#pragma once

#include <avr/io.h>

#if defined(__AVR_ATmega2560__)
#define HOCKET_CLOCK_TIMER 5
#define CLOCK_CONTROL_A TCCR5A
#define CLOCK_CONTROL_B TCCR5B
#define CLOCK_COUNT TCNT5
#define CLOCK_COUNT_LOW TCNT5L
#define CLOCK_COUNT_HIGH TCNT5H
#define CLOCK_COMPARE_A OCR5A
#define CLOCK_COMPARE_B OCR5B
#define CLOCK_MASKS TIMSK5
#define CLOCK_FLAGS TIFR5
#define CLOCK_OVERFLOW_VECTOR TIMER5_OVF_vect
#define CLOCK_COMPARE_A_VECTOR TIMER5_COMPA_vect
#define CLOCK_COMPARE_B_VECTOR TIMER5_COMPB_vect
#else
#define HOCKET_CLOCK_TIMER 1
#define CLOCK_CONTROL_A TCCR1A
#define CLOCK_CONTROL_B TCCR1B
#define CLOCK_COUNT TCNT1
#define CLOCK_COUNT_LOW TCNT1L
#define CLOCK_COUNT_HIGH TCNT1H
#define CLOCK_COMPARE_A OCR1A
#define CLOCK_COMPARE_B OCR1B
#define CLOCK_MASKS TIMSK1
#define CLOCK_FLAGS TIFR1
#define CLOCK_OVERFLOW_VECTOR TIMER1_OVF_vect
#define CLOCK_COMPARE_A_VECTOR TIMER1_COMPA_vect
#define CLOCK_COMPARE_B_VECTOR TIMER1_COMPB_vect
#endif
