@ PendSV: the one place where threads are switched; and where a new one begins.
@
@   stack of a thread that does not run, from its stack pointer up:
@     r4 … r11 | r0 … r3 r12 lr pc xPSR        the right half is the exception's own frame
@
@ PendSV has the lowest priority, so it interrupts threads only, and they run on the process stack: lr is
@ always the same (0xfffffffd), and no context has to keep it. Only instructions of Armv6-M.

  .syntax unified
  .thumb

  .equ HOCKET_PAINT, 0xa5a5a5a5  @ kPaint

@ Switch (port.h): Context* from, const Context* to.
  .section .bss.hocket_switch,"aw",%nobits
  .balign 4
  .global hocket_switch
hocket_switch:
  .skip 8

@ Masked, so that no handler asks for another switch meanwhile. One that came before the first
@ instruction has changed who is switched to, and asked for PendSV once more: then nothing is left to do.
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

  @ Leave `from`, if there is room for its registers.
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
  @ It may have needed more before.
  ldr r2, [r2]
  ldr r3, =HOCKET_PAINT
  cmp r2, r3
  bne .Loverflow

  @ Enter `to`: r8 … r11 go through the lower registers.
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

@ Entered by the frame that context_init() made, unmasked like everything that an exception returns to.
  .section .text.hocket_thread_start,"ax",%progbits
  .global hocket_thread_start
  .type hocket_thread_start, %function
hocket_thread_start:
  cpsid i
  bx r1
