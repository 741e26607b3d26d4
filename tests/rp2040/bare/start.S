// Sets the stack and begins. (Where the machine reads its vectors itself, it has done the same.)
.syntax unified
.thumb
.section .text.reset, "ax"
.global reset
.thumb_func
reset:
  ldr r0, =stack
  mov sp, r0
  bl main
1:
  b 1b
.ltorg
