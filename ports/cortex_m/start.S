@ From reset to hocket_main(): initialises memory as C++ expects it, and calls main() on the process
@ stack.
@
@ The linker script (sections.ld) defines all addresses. Reset has loaded the main stack pointer
@ from the vector table; that stack belongs to the handlers from here on.

  .syntax unified
  .thumb

  .equ HOCKET_PAINT, 0xa5a5a5a5  @ kPaint (port.h)

@ Stores `value` in all words from `begin` to `end`. Leaves `end` in r1.
  .macro fill begin, end, value
  ldr r0, =\begin
  ldr r1, =\end
  ldr r2, =\value
  b 2f
1:
  stmia r0!, {r2}
2:
  cmp r0, r1
  blo 1b
  .endm

  .section .text.hocket_reset,"ax",%progbits
  .global hocket_reset
  .type hocket_reset, %function
hocket_reset:
  cpsid i
  fill hocket_handler_stack, hocket_main_stack_end, HOCKET_PAINT  @ both stacks, which are adjacent
  msr psp, r1
  movs r0, #2  @ CONTROL.SPSEL: the process stack
  msr control, r0
  isb
  fill hocket_bss, hocket_bss_end, 0

  ldr r0, =hocket_data
  ldr r1, =hocket_data_end
  ldr r2, =hocket_data_image
  b 2f
1:
  ldmia r2!, {r3}
  stmia r0!, {r3}
2:
  cmp r0, r1
  blo 1b

  bl hocket_main
  b .
  .pool
