; uint32_t hocket_ticks(uint16_t ms): milliseconds in ticks of 0.5 us. Any context; 28 cycles. (What the
; compiler calls for this, a product of 32 bits, has 84 bytes.)

#define TICKS_PER_MS 2000

  .section .text.hocket_ticks,"ax",@progbits
  .global hocket_ticks
  .type hocket_ticks, @function
hocket_ticks:
  movw r18, r24
  ldi r20, lo8(TICKS_PER_MS)
  ldi r21, hi8(TICKS_PER_MS)
  mul r18, r20
  movw r22, r0
  mul r19, r21
  movw r24, r0
  clr r26
  mul r18, r21
  add r23, r0
  adc r24, r1
  adc r25, r26
  mul r19, r20
  add r23, r0
  adc r24, r1
  adc r25, r26
  clr r1
  ret
  .size hocket_ticks, . - hocket_ticks
