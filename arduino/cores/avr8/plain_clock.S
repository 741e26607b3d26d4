; The clock of a sketch without loops: timer 0, as on the stock core, so that timer 1 is the sketch's. It
; counts 4 us, turns round after 256 counts, and makes PWM on pins 5 and 6 meanwhile.
;
;   timer0_overflow_count   TCNT0
;   [      4 bytes       ][1 byte]
;
; Sketches read and write the variables by the stock core's names. (ATmega328P data sheet, chapter 15.)
;
; The linker puts the interrupt together from its parts, as ports/avr8/clock.S says:
;
;   hocket_clock.1    saves r24 and SREG, counts the turn; no carry is left if the count has come round
;   hocket_clock.15   the count's own turns (plain_long_clock.S)
;   hocket_clock.2    milliseconds (plain_millis.S)
;   hocket_clock.3    the end

#include <avr/io.h>

  .section .bss.timer0_overflow_count,"aw",@nobits
  .global timer0_overflow_count
  .type timer0_overflow_count, @object
timer0_overflow_count:
  .skip 4
  .size timer0_overflow_count, 4

  .section hocket_init.2,"ax",@progbits
  sts TIMSK0, r24  ; TOIE0: the bit that r24 has there (plain_init.S)

  .section hocket_clock.1,"ax",@progbits
  .global TIMER0_OVF_vect
TIMER0_OVF_vect:
  push r24
  in r24, _SFR_IO_ADDR(SREG)
  push r24
  ; Adds one; without a carry it is done. Subtracting 255 leaves a borrow unless the byte was 255.
  .irp byte, 0,1,2,3
  lds r24, timer0_overflow_count+\byte
  subi r24, 0xff
  sts timer0_overflow_count+\byte, r24
  brcs 1f
  .endr
1:

  .section hocket_clock.3,"ax",@progbits
  pop r24
  out _SFR_IO_ADDR(SREG), r24
  pop r24
  reti

; unsigned long micros(). Any context; nothing is masked. The turns are read before the counter, and their
; lowest byte once more behind it, until no overflow's interrupt came between. Changes r22 to r27 only
; (plain_delay.S).
  .section .text.micros,"ax",@progbits
  .global micros
  .type micros, @function
micros:
  lds r23, timer0_overflow_count
  mov r26, r23
  lds r24, timer0_overflow_count+1
  lds r25, timer0_overflow_count+2
  in r22, _SFR_IO_ADDR(TCNT0)
  sbic _SFR_IO_ADDR(TIFR0), TOV0
  rjmp 2f
1:
  lds r27, timer0_overflow_count
  cp r26, r27
  brne micros
  .rept 2  ; 4 us a count
  lsl r22
  rol r23
  rol r24
  rol r25
  .endr
  ret
2:  ; An overflow that is not counted yet. The counter is read again: it may have been before that.
  in r22, _SFR_IO_ADDR(TCNT0)
  subi r23, 0xff
  sbci r24, 0xff
  sbci r25, 0xff
  rjmp 1b
  .size micros, . - micros

  .reloc 0, R_AVR_NONE, init  ; hocket_init.2 is a part of it
