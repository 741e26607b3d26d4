// The first instructions of threads, in the kernel and in the sketch.
#include "ports/aarch64/exception_level.inc"
#include "ports/aarch64/layout.h"

    .section .text.hocket_switch, "ax"

// A new thread's stack: its function, then the argument (Port::context_init).
    .global hocket_thread_start
    .type hocket_thread_start, %function
hocket_thread_start:
    ldp     x1, x0, [sp], #16
    blr     x1
    brk     #1                          // an entry never returns
    .size hocket_thread_start, . - hocket_thread_start

// [[noreturn]] void hocket_enter_user(uint64_t entry, uint64_t argument, uint64_t stack, void* kernel_stack)
// Goes to EL0 with interrupts unmasked and no value of the kernel in any register. From now on this
// thread enters the kernel with its kernel stack empty.
    .global hocket_enter_user
    .type hocket_enter_user, %function
hocket_enter_user:
    msr     daifset, #3
    msr     AT_LEVEL(elr), x0
    msr     AT_LEVEL(spsr), xzr         // EL0t, nothing masked
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
