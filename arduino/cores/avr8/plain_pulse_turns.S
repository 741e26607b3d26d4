; uint32_t hocket_turns_left(uint32_t turns, const volatile uint8_t* input, uint8_t bits, uint8_t level):
; plain_pulse.cpp says what it does. 16 cycles a turn.

  .section .text.hocket_turns_left,"ax",@progbits
  .global hocket_turns_left
  .type hocket_turns_left, @function
hocket_turns_left:
  movw r30, r20
1:
  ld r19, Z
  and r19, r18
  cp r19, r16
  brne 2f
  subi r22, 1
  sbci r23, 0
  sbci r24, 0
  sbci r25, 0
  brcs 2f
  .rept 4
  nop
  .endr
  rjmp 1b
2:
  ret
  .size hocket_turns_left, . - hocket_turns_left
