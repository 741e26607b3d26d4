; main() of a sketch without loops: as core.cpp has it, less what is the kernel's, and without asking
; for setup() and loop(): who lacks one gets an empty one (no_setup.S, no_loop.S).

#include <avr/io.h>

  .weak hocket_clock_turns
  .weak _Z14serialEventRunv

  .section .text.main,"ax",@progbits
  .global main
  .type main, @function
main:
  ldi r24, hi8(hocket_clock_turns)  ; 0: there is none
  tst r24
  breq 1f
  sts TCCR1A, r1  ; Clock::start() (ports/avr8/clock.h)
  ldi r24, 1 << TOIE1
  sts TIMSK1, r24
  ldi r24, 1 << CS11
  sts TCCR1B, r24
1:
  sei
  call setup
2:
  call loop
  .global hocket_plain_iteration
hocket_plain_iteration:
  ldi r24, pm_lo8(_Z14serialEventRunv)
  ldi r25, pm_hi8(_Z14serialEventRunv)
  or r24, r25
  breq 2b
  call _Z14serialEventRunv
  rjmp 2b
  .size main, . - main
