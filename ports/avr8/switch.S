; Switching threads, where a new one starts, and what the processor does when nobody runs (avr-gcc's calling
; convention, which clang shares: r2 … r17, r28 and r29 are kept by calls).
;
;   stack of a thread that does not run, from its stack pointer up:
;     (free) r29 r28 r17 r16 … r2 return-high return-low
;
; Of the idle thread nothing is kept: it has no state but where it waits. While it runs a flag says so
; (kIdle), and its Context has no stack pointer.

#include <avr/io.h>

#define HOCKET_PAINT 0xa5
#define FLAGS _SFR_IO_ADDR(GPIOR0)
#define IN_IRQ 0  /* kInIrq */
#define IDLE 2    /* kIdle */

; void hocket_switch(Context* from, void* to): masked, so that the two halves of the stack pointer
; can be written one after the other. Looks at the lowest byte of the stack that is left: what has changed
; it was an overflow. hocket_switch_threads: the same in a thread, for another one, which is shorter.
  .section .text.hocket_switch,"ax",@progbits
  .global hocket_switch
  .global hocket_switch_threads
hocket_switch:
  sbis FLAGS, IDLE
  rjmp .Lleave_thread
  cbi FLAGS, IDLE
  cbi FLAGS, IN_IRQ
.Lgo_on:
  out _SFR_IO_ADDR(SPH), r23
  out _SFR_IO_ADDR(SPL), r22
  .irp register, 29,28,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2
  pop r\register
  .endr
  ret
.Lleave_thread:
  cbi FLAGS, IN_IRQ
hocket_switch_threads:
  .irp register, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,28,29
  push r\register
  .endr
  in r18, _SFR_IO_ADDR(SPL)
  in r19, _SFR_IO_ADDR(SPH)
  movw r26, r24
  st X+, r18
  st X+, r19
  ld r30, X+  ; Context::bottom
  ld r31, X
  ld r18, Z
  cpi r18, HOCKET_PAINT
  brne .Loverflow
  cpse r23, r1  ; no stack is that low
  rjmp .Lgo_on
  rjmp .Lbecome_idle
.Loverflow:
  jmp hocket_stack_overflow

; Each time anew, with the stack that main() has left. Nothing is looked at between two sleeps: handlers
; decide and switch themselves.
.Lbecome_idle:
  lds r24, hocket_idle_stack
  lds r25, hocket_idle_stack+1
  out _SFR_IO_ADDR(SPH), r25
  out _SFR_IO_ADDR(SPL), r24
  sbi FLAGS, IDLE
.Lwait:
  sei
  sleep
  rjmp .Lwait

; void hocket_idle(): main() becomes the idle thread.
  .global hocket_idle
hocket_idle:
  in r24, _SFR_IO_ADDR(SPL)
  in r25, _SFR_IO_ADDR(SPH)
  sts hocket_idle_stack, r24
  sts hocket_idle_stack+1, r25
  rjmp .Lbecome_idle

  .section .bss.hocket_idle_stack,"aw",@nobits
hocket_idle_stack:
  .skip 2

; A new thread: its function is in r2:r3, what to call it with in r4:r5.
  .section .text.hocket_thread_start,"ax",@progbits
  .global hocket_thread_start
hocket_thread_start:
  clr r1
  movw r24, r4
  movw r30, r2
  ijmp

; Where handlers that may wake threads begin (HOCKET_AVR8_KERNEL_HANDLER in port.h, which leads here with
; r30 and r31 pushed and the handler's function in them): the registers that calls do not keep are saved
; here, all others by a switch, if there is one. At the end goes on whoever is to run. Out of idle nothing is
; saved: what a handler returns to is the wait itself.
  .section .text.hocket_interrupt,"ax",@progbits
  .global hocket_interrupt
hocket_interrupt:
  sbi FLAGS, IN_IRQ
  sbic FLAGS, IDLE
  rjmp .Lout_of_idle
  push r0
  in r0, _SFR_IO_ADDR(SREG)
  push r0
  push r1
  clr r1
  .irp register, 18,19,20,21,22,23,24,25,26,27
  push r\register
  .endr
  icall
  rcall .Lexit
  .irp register, 27,26,25,24,23,22,21,20,19,18
  pop r\register
  .endr
  pop r1
  pop r0
  out _SFR_IO_ADDR(SREG), r0
  pop r0
.Lend:
  pop r31
  pop r30
  reti
.Lout_of_idle:
  icall
  rcall .Lexit
  rjmp .Lend
.Lexit:
  call hocket_interrupt_exit
  cbi FLAGS, IN_IRQ
  ret
