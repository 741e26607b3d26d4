; Switching threads, and where a new one starts (avr-gcc's calling convention, which clang shares:
; r2 … r17, r28 and r29 are kept by calls).
;
;   stack of a thread that does not run, from its stack pointer up:
;     (free) r29 r28 r17 r16 … r2 return-high return-low

#include <avr/io.h>

#define HOCKET_PAINT 0xa5

; void hocket_switch(Context* from, void* to): masked, so that the two halves of the stack pointer can be
; written one after the other. Looks at the lowest byte of the stack that is left: what has changed it
; was an overflow.
  .macro save_registers
  .irp register, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,28,29
  push r\register
  .endr
  .endm

  .macro restore_registers_and_return
  .irp register, 29,28,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2
  pop r\register
  .endr
  ret
  .endm

  ; Keeps the stack pointer in Context r25:r24.
  .macro leave_context
  in r18, _SFR_IO_ADDR(SPL)
  in r19, _SFR_IO_ADDR(SPH)
  movw r26, r24
  st X+, r18
  st X+, r19
  ld r30, X+  ; Context::bottom
  ld r31, X
  ld r18, Z
  cpi r18, HOCKET_PAINT
  brne 9f
  .endm

  .section .text.hocket_switch,"ax",@progbits
  .global hocket_switch
hocket_switch:
  save_registers
  leave_context
  out _SFR_IO_ADDR(SPH), r23
  out _SFR_IO_ADDR(SPL), r22
  restore_registers_and_return
9:
  jmp hocket_stack_overflow

; void hocket_switch_from_idle(void* to): of idle nothing is kept.
  .section .text.hocket_switch_from_idle,"ax",@progbits
  .global hocket_switch_from_idle
hocket_switch_from_idle:
  out _SFR_IO_ADDR(SPH), r25
  out _SFR_IO_ADDR(SPL), r24
  restore_registers_and_return

; void hocket_switch_to_idle(Context* from), and where the idle thread begins, each time anew, with the stack
; that main() has left. Nothing is looked at between two sleeps: handlers decide and switch themselves.
  .section .text.hocket_switch_to_idle,"ax",@progbits
  .global hocket_switch_to_idle
  .global hocket_idle
hocket_switch_to_idle:
  save_registers
  leave_context
  lds r24, hocket_idle_stack
  lds r25, hocket_idle_stack+1
  out _SFR_IO_ADDR(SPH), r25
  out _SFR_IO_ADDR(SPL), r24
1:
  sei
  sleep
  rjmp 1b
9:
  jmp hocket_stack_overflow

; void hocket_idle(): main() becomes the idle thread.
hocket_idle:
  in r24, _SFR_IO_ADDR(SPL)
  in r25, _SFR_IO_ADDR(SPH)
  sts hocket_idle_stack, r24
  sts hocket_idle_stack+1, r25
  rjmp 1b

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
