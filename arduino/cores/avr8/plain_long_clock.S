; For times of 64 bits in a sketch without loops: how often timer0_overflow_count has come round, every 50
; days (plain_clock.S).

#include <avr/io.h>

  .section .bss.hocket_clock_rounds,"aw",@nobits
  .global hocket_clock_rounds
hocket_clock_rounds:
  .skip 2

  .section hocket_clock.15,"ax",@progbits
  brcs 1f
  .irp byte, 0,1
  lds r24, hocket_clock_rounds+\byte
  subi r24, 0xff
  sts hocket_clock_rounds+\byte, r24
  brcs 1f
  .endr
1:

  .global timer0_overflow_count  ; takes the clock along
  .reloc 0, R_AVR_NONE, timer0_overflow_count
