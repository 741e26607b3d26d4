; unsigned long micros(): of the clock's 48 bits of half microseconds (ports/avr8/clock.h) those from
; 1 to 32. Any context; interrupts are masked for 5 cycles. The turns are read before and after, until no
; overflow came between.

#include "ports/avr8/clock_timer.h"

  .section .text.micros,"ax",@progbits
  .global micros
  .type micros, @function
micros:
  lds r24, hocket_clock_turns
  lds r25, hocket_clock_turns+1
  lds r18, hocket_clock_turns+2
  in r26, _SFR_IO_ADDR(SREG)
  cli
  lds r22, CLOCK_COUNT_LOW
  lds r23, CLOCK_COUNT_HIGH
  out _SFR_IO_ADDR(SREG), r26
  in r19, _SFR_IO_ADDR(CLOCK_FLAGS)
  lds r20, hocket_clock_turns
  cp r20, r24
  lds r20, hocket_clock_turns+1
  cpc r20, r25
  brne micros
  sbrc r19, TOV1
  rjmp 2f
1:
  lsr r18
  ror r25
  ror r24
  ror r23
  ror r22
  ret
2:  ; An overflow that is not counted yet: older than a low counter, younger than a high one.
  sbrc r23, 7
  rjmp 1b
  subi r24, 0xff
  sbci r25, 0xff
  sbci r18, 0xff
  rjmp 1b
  .size micros, . - micros
