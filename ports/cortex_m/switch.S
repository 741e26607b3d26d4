@ PendSV, the one place where threads are switched, and the start of a new thread.
@
@   stack of a thread that does not run, from its stack pointer up:
@     r4 … r11 | r0 … r3 r12 lr pc xPSR        the right half is the exception's own frame
@
@ PendSV has the lowest priority, so it interrupts only threads, which run on the process stack. lr
@ is therefore always the same (0xfffffffd), and contexts need not store it. Only Armv6-M
@ instructions are used.

  .syntax unified
  .thumb

  .equ HOCKET_PAINT, 0xa5a5a5a5  @ kPaint

@ Switch (port.h): Context* from, const Context* to.
  .section .bss.hocket_switch,"aw",%nobits
  .balign 4
  .global hocket_switch
hocket_switch:
  .skip 8

@ Masked, so that no handler requests another switch meanwhile. A request between the exception's
@ entry and the first instruction has replaced `to` and has pended PendSV again; that second PendSV
@ then finds nothing to do.
  .section .text.hocket_pend_sv,"ax",%progbits
  .global hocket_pend_sv
  .type hocket_pend_sv, %function
hocket_pend_sv:
  cpsid i
  ldr r2, =hocket_switch
  ldr r1, [r2, #4]
  cmp r1, #0
  beq .Ldone
  ldr r0, [r2]
  movs r3, #0
  str r3, [r2, #4]

  @ Leaves `from`, if there is room for its registers.
  ldr r2, [r0, #4]  @ Context::bottom
  mrs r3, psp
  subs r3, #32
  cmp r3, r2
  bls .Loverflow
  stmia r3!, {r4-r7}
  mov r4, r8
  mov r5, r9
  mov r6, r10
  mov r7, r11
  stmia r3!, {r4-r7}
  subs r3, #32
  str r3, [r0]      @ Context::stack_pointer
  @ The stack may have been deeper before.
  ldr r2, [r2]
  ldr r3, =HOCKET_PAINT
  cmp r2, r3
  bne .Loverflow

  @ Enters `to`. r8 to r11 are loaded through the lower registers.
  ldr r3, [r1]
  adds r3, #16
  ldmia r3!, {r4-r7}
  mov r8, r4
  mov r9, r5
  mov r10, r6
  mov r11, r7
  msr psp, r3
  subs r3, #32
  ldmia r3!, {r4-r7}
.Ldone:
  cpsie i
  bx lr
.Loverflow:
  bl hocket_stack_overflow
  .pool

@ Entered through the frame that context_init() made; unmasked, like all code to which an exception
@ returns.
  .section .text.hocket_thread_start,"ax",%progbits
  .global hocket_thread_start
  .type hocket_thread_start, %function
hocket_thread_start:
  cpsid i
  bx r1
