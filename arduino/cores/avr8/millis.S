; millis(): counted by the clock's overflow interrupt, so that no division is left for the call.
;
; A turn of the counter is 65,536 ticks of 0.5 us: 32 ms and 96/125 of one.
;
;   hocket_clock_milliseconds   [ 4 bytes ][ 1 byte: the rest, in 1/125 ms ]   at the turn's begin
;
; Since then the counter has passed c ticks, c/16 of 1/125 ms. With c = 2048 e + d (e: the upper 5
; bits) these are 128 e + d/16 = 125 e + (3 e + d/16): e whole milliseconds, and a sum below 221
; that holds one more at most. With the rest there may be another.

#include <avr/io.h>

#define PARTS 125  // of a millisecond
#define TURN_MS 32
#define TURN_PARTS 96

  .section .bss.hocket_clock_milliseconds,"aw",@nobits
  .global hocket_clock_milliseconds
hocket_clock_milliseconds:
  .skip 5
  .equ rest, hocket_clock_milliseconds + 4

; In the overflow interrupt (ports/avr8/clock.S): 15 cycles. "Subtract 223 and the borrow" adds 33
; without a borrow and 32 with one.
  .section hocket_clock.2,"ax",@progbits
  lds r24, rest
  subi r24, -TURN_PARTS
  cpi r24, PARTS
  brcs 1f
  subi r24, PARTS
1:
  sts rest, r24
  lds r24, hocket_clock_milliseconds
  sbci r24, 255 - TURN_MS
  sts hocket_clock_milliseconds, r24
  brcs 2f
  .irp byte, 1,2,3
  lds r24, hocket_clock_milliseconds+\byte
  subi r24, 0xff
  sts hocket_clock_milliseconds+\byte, r24
  brcs 2f
  .endr
2:

; unsigned long millis(). Any context. All is read in 16 masked cycles.
  .section .text.millis,"ax",@progbits
  .global millis
  .type millis, @function
millis:
  in r26, _SFR_IO_ADDR(SREG)
  cli
  lds r22, hocket_clock_milliseconds
  lds r23, hocket_clock_milliseconds+1
  lds r24, hocket_clock_milliseconds+2
  lds r25, hocket_clock_milliseconds+3
  lds r27, rest
  lds r18, TCNT1L
  lds r19, TCNT1H
  in r20, _SFR_IO_ADDR(TIFR1)
  out _SFR_IO_ADDR(SREG), r26
  sbrc r20, TOV1
  rjmp 4f
1:
  ldi r21, 32
  mul r19, r21  ; r1: e, r0: the upper bits of d
  lsr r0
  swap r18
  andi r18, 0x0f
  add r18, r0  ; d/16
  .rept 3
  add r18, r1
  .endr
  ; One more if the sum has 125: in r1. It is left 125 too small (modulo 256), which makes the
  ; carry of the next sum the other one.
  subi r18, PARTS
  brcs 2f
  subi r18, PARTS
  inc r1
2:
  add r18, r27
  adc r22, r1
  clr r1  ; as the compiler's code has it
  adc r23, r1
  adc r24, r1
  adc r25, r1
  ret
4:  ; An overflow that is not counted yet: older than a low counter, younger than a high one.
  sbrc r19, 7
  rjmp 1b
  subi r27, -TURN_PARTS
  cpi r27, PARTS
  brcs 5f
  subi r27, PARTS
5:
  sbci r22, 255 - TURN_MS
  sbci r23, 0xff
  sbci r24, 0xff
  sbci r25, 0xff
  rjmp 1b
  .size millis, . - millis

  .global hocket_clock_turns  ; takes the clock along
  .reloc 0, R_AVR_NONE, hocket_clock_turns
