// Switching between threads, and the first instructions of new ones.
#include "ports/aarch64/layout.h"

    .section .text.hocket_switch, "ax"

// void hocket_switch(void** from, void* to)
// AAPCS64, 6.1.1: a called function keeps x19 to x29 and the stack pointer; x30 is where it returns.
// Floating-point registers stay where they are (floating_point.cpp). Interrupts are masked.
    .global hocket_switch
    .type hocket_switch, %function
hocket_switch:
    stp     x19, x20, [sp, #-96]!
    stp     x21, x22, [sp, #16]
    stp     x23, x24, [sp, #32]
    stp     x25, x26, [sp, #48]
    stp     x27, x28, [sp, #64]
    stp     x29, x30, [sp, #80]
    mov     x9, sp
    str     x9, [x0]
    mov     sp, x1
    ldp     x29, x30, [sp, #80]
    ldp     x27, x28, [sp, #64]
    ldp     x25, x26, [sp, #48]
    ldp     x23, x24, [sp, #32]
    ldp     x21, x22, [sp, #16]
    ldp     x19, x20, [sp], #96
    ret
    .size hocket_switch, . - hocket_switch

    .global hocket_thread_start
    .type hocket_thread_start, %function
hocket_thread_start:
    mov     x0, x20
    blr     x19
    brk     #1                          // an entry never returns
    .size hocket_thread_start, . - hocket_thread_start

// [[noreturn]] void hocket_enter_user(uint64_t entry, uint64_t argument, uint64_t stack, void* kernel_stack)
// Goes to EL0 with interrupts unmasked and no value of the kernel in any register. From now on this
// thread enters the kernel with its kernel stack empty.
    .global hocket_enter_user
    .type hocket_enter_user, %function
hocket_enter_user:
    msr     daifset, #3
    msr     elr_el1, x0
    msr     spsr_el1, xzr               // EL0t, nothing masked
    msr     sp_el0, x2
    mov     sp, x3
    mov     x0, x1
    .irp    n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    mov     x\n, xzr
    .endr
    .irp    n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
    mov     x\n, xzr
    .endr
    eret
    .size hocket_enter_user, . - hocket_enter_user
