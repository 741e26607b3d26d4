// The first instructions of threads, in the kernel and in the sketch, and calls of the sketch's
// functions out of an interrupt. (port.h has the switch between threads.)
#include "ports/aarch64/frame.inc"

    .section .text.hocket_switch, "ax"

// A new thread's stack: its function, then the argument (Port::context_init).
    .global hocket_thread_start
    .type hocket_thread_start, %function
hocket_thread_start:
    ldp     x1, x0, [sp], #16
    blr     x1
    brk     #1                          // an entry never returns
    .size hocket_thread_start, . - hocket_thread_start

// [[noreturn]] void hocket_enter_user(uint64_t entry, uint64_t argument, uint64_t stack, void*
// kernel_stack)
//
// Enters EL0 with interrupts unmasked and no kernel value in any register. From now on, each entry
// of this thread into the kernel begins with an empty kernel stack.
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

    .balign 32
user_begins_with:  // zeros, then x29 and x30 of a function of the sketch that the kernel calls
    .quad   0, 0, 0, HOCKET_USER_RETURN

// uint64_t hocket_call_user(uint64_t entry, uint64_t argument, uint64_t stack, uint64_t storage,
// void** kernel_stack)
//
// In a handler of the real-time level: calls a function at EL0, with no kernel value in any
// register, with the ordinary level masked and the real-time level unmasked. `storage` is its
// thread pointer. *kernel_stack receives the stack at which hocket_end_user() continues.
    .global hocket_call_user
    .type hocket_call_user, %function
hocket_call_user:
    stp     x29, x30, [sp, #-128]!
    stp     x19, x20, [sp, #16]
    stp     x21, x22, [sp, #32]
    stp     x23, x24, [sp, #48]
    stp     x25, x26, [sp, #64]
    stp     x27, x28, [sp, #80]
    mrs     x5, AT_LEVEL(elr)           // of the interrupted code: not saved yet (vectors.S)
    mrs     x6, AT_LEVEL(spsr)
    stp     x5, x6, [sp, #96]
    mrs     x5, sp_el0
    mrs     x6, tpidr_el0
    stp     x5, x6, [sp, #112]
    mov     x5, sp
    str     x5, [x4]
    msr     AT_LEVEL(elr), x0
    mov     x5, #1 << 7                 // EL0t, I
    msr     AT_LEVEL(spsr), x5
    msr     sp_el0, x2
    msr     tpidr_el0, x3
    mov     x0, x1
    adr     x30, user_begins_with       // (two registers per instruction, because a handler waits for this)
    CLEAR_BY_PAIRS x30, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28
    ldp     x29, x30, [x30, #16]
    eret
    .size hocket_call_user, . - hocket_call_user

// [[noreturn]] void hocket_end_user(uint64_t result, void* kernel_stack)
//
// Makes hocket_call_user() return `result`. Drops what the sketch has left below on the kernel's
// stack.
    .global hocket_end_user
    .type hocket_end_user, %function
hocket_end_user:
    msr     daifset, #3
    mov     sp, x1
    ldp     x4, x5, [sp, #96]
    msr     AT_LEVEL(elr), x4
    msr     AT_LEVEL(spsr), x5
    ldp     x4, x5, [sp, #112]
    msr     sp_el0, x4
    msr     tpidr_el0, x5
    ldp     x19, x20, [sp, #16]
    ldp     x21, x22, [sp, #32]
    ldp     x23, x24, [sp, #48]
    ldp     x25, x26, [sp, #64]
    ldp     x27, x28, [sp, #80]
    ldp     x29, x30, [sp], #128
    ret
    .size hocket_end_user, . - hocket_end_user
