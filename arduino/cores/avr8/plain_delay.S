; void delay(unsigned long ms) of a sketch without loops: nobody else runs meanwhile, and what counts is
; micros(). Of it 16 bits do, for each millisecond is waited for by itself. (A handler that takes 64 ms in
; one piece makes it longer by as much.)

#define MILLISECOND 1000  // us

  .section .text.delay,"ax",@progbits
  .global delay
  .type delay, @function
delay:
  .irp register, 12,13,14,15,16,17
  push r\register
  .endr
  movw r12, r22
  movw r14, r24
  call micros
  movw r16, r22  ; when this millisecond has begun
1:
  cp r12, r1
  cpc r13, r1
  cpc r14, r1
  cpc r15, r1
  breq 3f
2:
  call micros
  sub r22, r16
  sbc r23, r17
  subi r22, lo8(MILLISECOND)
  sbci r23, hi8(MILLISECOND)
  brcs 2b
  subi r16, lo8(-(MILLISECOND))
  sbci r17, hi8(-(MILLISECOND))
  sec
  sbc r12, r1
  sbc r13, r1
  sbc r14, r1
  sbc r15, r1
  rjmp 1b
3:
  .irp register, 17,16,15,14,13,12
  pop r\register
  .endr
  ret
  .size delay, . - delay

  .section .text.yield,"ax",@progbits
  .global yield
  .type yield, @function
yield:
  ret
  .size yield, . - yield
