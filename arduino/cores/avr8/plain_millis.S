; millis() of a sketch without loops: counted by timer 0's overflow interrupt, 1.024 ms a turn, with the rest
; in parts of 8 us. The stock core's variable has the stock core's value at every instant.

#include <avr/io.h>

#define PARTS 125  // of a millisecond
#define TURN_MS 1
#define TURN_PARTS 3

  .section .bss.timer0_millis,"aw",@nobits
  .global timer0_millis
  .type timer0_millis, @object
timer0_millis:
  .skip 4
  .size timer0_millis, 4
rest:
  .skip 1

; In the overflow interrupt: 15 cycles in most turns. "Subtract 254 and the borrow" adds 1 with a borrow and 2
; without one.
  .section hocket_clock.2,"ax",@progbits
  lds r24, rest
  subi r24, -TURN_PARTS
  cpi r24, PARTS
  brcs 1f
  subi r24, PARTS
1:
  sts rest, r24
  lds r24, timer0_millis
  sbci r24, 255 - TURN_MS
  sts timer0_millis, r24
  brcs 2f
  .irp byte, 1,2,3
  lds r24, timer0_millis+\byte
  subi r24, 0xff
  sts timer0_millis+\byte, r24
  brcs 2f
  .endr
2:

; unsigned long millis(). Any context; 19 cycles with the call, masked for 9.
  .section .text.millis,"ax",@progbits
  .global millis
  .type millis, @function
millis:
  in r18, _SFR_IO_ADDR(SREG)
  cli
  lds r22, timer0_millis
  lds r23, timer0_millis+1
  lds r24, timer0_millis+2
  lds r25, timer0_millis+3
  out _SFR_IO_ADDR(SREG), r18
  ret
  .size millis, . - millis

  .global timer0_overflow_count  ; takes the clock along
  .reloc 0, R_AVR_NONE, timer0_overflow_count
