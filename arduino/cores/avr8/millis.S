; millis(): the clock's overflow interrupt counts, so that the call needs no division. The result is
; kept while it is valid, so that a loop that calls it repeatedly mostly reads it.
;
; A turn of the counter is 65,536 ticks of 0.5 us: 32 ms and 96/125 of one.
;
;   hocket_clock_milliseconds   [ 4 bytes ][ 1 byte: the rest, in 1/125 ms ]   at the turn's begin
;
; Since then the counter has passed c ticks, c/16 of 1/125 ms. With c = 2048 e + d (e: the upper 5
; bits) these are 128 e + d/16 = 125 e + (3 e + d/16): e whole milliseconds, and a sum below 221
; that holds one more at most. With the rest there may be another.
;
; The result of a call stays valid until the counter's upper byte reaches that of the next
; millisecond, in this turn:
;
;   kept    [ 4 bytes ]   the milliseconds
;   until   [ 1 byte ]    as long as the upper byte is below it; 0: never
;   worker  [ 2 bytes ]   the thread that computes the new value, by its stack pointer
;
; A call computes unmasked, and stores its result if it is still the last one that has begun: no two
; calls in progress have the same stack pointer, wherever they were interrupted and for how long. The
; overflow interrupt clears both, so no value is kept beyond the end of a turn.

#include "ports/avr8/clock_timer.h"

#define PARTS 125  // of a millisecond
#define TURN_MS 32
#define TURN_PARTS 96

  .section .bss.hocket_clock_milliseconds,"aw",@nobits
  .global hocket_clock_milliseconds
hocket_clock_milliseconds:
  .skip 5
  .equ rest, hocket_clock_milliseconds + 4
kept:
  .skip 4
until:
  .skip 1
worker:
  .skip 2

; In the overflow interrupt (ports/avr8/clock.S): 20 cycles. "Subtract 223 and the borrow" adds 33
; without a borrow and 32 with one.
  .section hocket_clock.2,"ax",@progbits
  ldi r24, 0
  sts until, r24
  sts worker+1, r24  ; no stack is there
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

; unsigned long millis(). Any context. Masked for 24 cycles, and where it must be worked out twice
; for 30.
  .section .text.millis,"ax",@progbits
  .global millis
  .type millis, @function
millis:
  in r26, _SFR_IO_ADDR(SREG)
  cli
  lds r20, until
  lds r18, CLOCK_COUNT_LOW
  lds r19, CLOCK_COUNT_HIGH
  cp r19, r20
  brcc 1f
  sbic _SFR_IO_ADDR(CLOCK_FLAGS), TOV1  ; a turn has ended that was not counted yet
  rjmp 1f
  lds r22, kept
  lds r23, kept+1
  lds r24, kept+2
  lds r25, kept+3
  out _SFR_IO_ADDR(SREG), r26
  ret

1:
  lds r22, hocket_clock_milliseconds
  lds r23, hocket_clock_milliseconds+1
  lds r24, hocket_clock_milliseconds+2
  lds r25, hocket_clock_milliseconds+3
  lds r27, rest
  in r21, _SFR_IO_ADDR(CLOCK_FLAGS)
  in r30, _SFR_IO_ADDR(SPL)
  in r31, _SFR_IO_ADDR(SPH)
  sts worker, r30
  sts worker+1, r31
  out _SFR_IO_ADDR(SREG), r26
  sbrc r21, TOV1
  rjmp 6f
2:
  ldi r20, 32
  mul r19, r20  ; r1: e, r0: the upper bits of d
  lsr r0
  swap r18
  andi r18, 0x0f
  mov r20, r18  ; the part of the counter's upper byte that has passed, in parts of a millisecond
  add r18, r0  ; d/16
  .rept 3
  add r18, r1
  .endr
  ; One more if the sum has 125: in r1. It is left 125 too small (modulo 256), which makes the
  ; carry of the next sum the other one.
  subi r18, PARTS
  brcs 3f
  subi r18, PARTS
  inc r1
3:
  add r18, r27
  sbc r27, r27  ; 255 with a carry, which stays
  adc r22, r1
  clr r1  ; as the compiler's code has it
  adc r23, r1
  adc r24, r1
  adc r25, r1
  ; What has passed of this millisecond is r18, and without that carry 125 more. The upper byte in
  ; which the next one begins, or 255 if this turn has none.
  andi r27, PARTS
  sub r20, r18
  add r20, r27
  swap r20
  andi r20, 0x0f
  add r20, r19
  brcc 4f
  ldi r20, 255
4:
  cli
  lds r18, worker
  lds r19, worker+1
  cp r18, r30
  cpc r19, r31
  brne 5f
  sts kept, r22
  sts kept+1, r23
  sts kept+2, r24
  sts kept+3, r25
  sts until, r20
5:
  out _SFR_IO_ADDR(SREG), r26
  ret
6:  ; An overflow that is not counted yet: older than a low counter, younger than a high one.
  sbrc r19, 7
  rjmp 2b
  subi r27, -TURN_PARTS
  cpi r27, PARTS
  brcs 7f
  subi r27, PARTS
7:
  sbci r22, 255 - TURN_MS
  sbci r23, 0xff
  sbci r24, 0xff
  sbci r25, 0xff
  rjmp 2b
  .size millis, . - millis

  .global hocket_clock_turns  ; takes the clock along
  .reloc 0, R_AVR_NONE, hocket_clock_turns
