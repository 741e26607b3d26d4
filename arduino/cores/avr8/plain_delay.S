; void delay(unsigned long ms) of a sketch without loops: nothing else runs meanwhile, and what counts is
; micros(). Of it 16 bits do, for each millisecond is waited for by itself. (A handler that takes 64 ms in
; one piece makes it longer by as much.) micros() changes no register that is used here. A sketch with a
; yield() of its own has plain_delay_yields.cpp instead, which is linked beside this one and not weak.

#define MILLISECOND 1000  // us
#define MASKED_TURNS ((16000 - 20) / 4)  // 4 cycles a turn, and what comes around them

  .section .text.delay,"ax",@progbits
  .weak delay
  .type delay, @function
delay:
  movw r18, r22  ; milliseconds left
  movw r20, r24
  call micros
  movw r30, r22  ; when this millisecond has begun
1:
  cp r18, r1
  cpc r19, r1
  cpc r20, r1
  cpc r21, r1
  breq 3f
2:
  brid 5f
  call micros
  sub r22, r30
  sbc r23, r31
  subi r22, lo8(MILLISECOND)
  sbci r23, hi8(MILLISECOND)
  brcs 2b
  subi r30, lo8(-(MILLISECOND))
  sbci r31, hi8(-(MILLISECOND))
4:
  sec
  sbc r18, r1
  sbc r19, r1
  sbc r20, r1
  sbc r21, r1
  rjmp 1b
3:
  ret
5:  ; Interrupts are masked, so nothing counts the clock's turns: instructions do.
  ldi r24, lo8(MASKED_TURNS)
  ldi r25, hi8(MASKED_TURNS)
6:
  sbiw r24, 1
  brne 6b
  rjmp 4b
  .size delay, . - delay
