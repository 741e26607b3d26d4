// Changes the registers of EL1 that both worlds use from one world's values to the other's.
//
// Only registers whose values either world can notice are changed. EL1 of the secure world is a
// stub without stack, thread pointer and memory (stub.S), so SP_EL1, TPIDR_EL1, PAR_EL1 and similar
// registers keep Linux's values. General registers and SP_EL0 are in frames. Floating-point
// registers change owners like those of threads.
//
// While the registers of a regime change, both of its tables are off (TCR_EL1.EPD0 and EPD1),
// because the processor may walk them at any time, also from EL3.
#include "exception_level.inc"
#include "ports/aarch64/layout.h"

#define TABLES_OFF ((1 << 7) | (1 << 23))

// SCTLR_EL1: as for a kernel at EL1 (el1/exception_level.h); no writable memory is executable.
    .set    SECURE_SCTLR, 0x30d00800 | (1 << 0) | (1 << 2) | (1 << 12) | (1 << 3) | (1 << 4) | (1 << 14) | \
                          (1 << 15) | (1 << 16) | (1 << 18) | (1 << 19)
// TCR_EL1: the lower half as everywhere (translation.h), the upper half of 32 MiB for the stub.
    .set    SECURE_TCR, 0x2b5193519 - (25 << 16) + (39 << 16)

    .macro KEEP first second at
    mrs     x1, \first
    mrs     x2, \second
    stp     x1, x2, [x0, #\at]
    .endm
    .macro GIVE first second at
    ldp     x1, x2, [x0, #\at]
    msr     \first, x1
    msr     \second, x2
    .endm

    .section .text.hocket_worlds, "ax"

// void hocket_take_from_normal(uint64_t registers[16]): saves the other world's registers and loads
// the secure world's. The caller must write TTBR0_EL1; until then it maps nothing.
    .global hocket_take_from_normal
    .type hocket_take_from_normal, %function
hocket_take_from_normal:
    KEEP    sctlr_el1, tcr_el1, 0
    KEEP    ttbr0_el1, ttbr1_el1, 16
    KEEP    mair_el1, vbar_el1, 32
    KEEP    cpacr_el1, cntkctl_el1, 48
    KEEP    mdscr_el1, pmuserenr_el0, 64
    KEEP    tpidr_el0, tpidrro_el0, 80
    KEEP    esr_el1, far_el1, 96
    KEEP    elr_el1, spsr_el1, 112
    .size hocket_take_from_normal, . - hocket_take_from_normal

// void hocket_begin_secure(): loads the secure world's registers, whatever they were.
    .global hocket_begin_secure
    .type hocket_begin_secure, %function
hocket_begin_secure:
    ldr     x3, =SECURE_TCR
    orr     x1, x3, #(1 << 7)
    orr     x1, x1, #(1 << 23)
    msr     tcr_el1, x1
    mov     x1, #HOCKET_SCR_SECURE
    isb
    msr     scr_el3, x1
    ldr     x1, =SECURE_SCTLR
    msr     sctlr_el1, x1
    msr     ttbr0_el1, xzr
    adrp    x1, hocket_stub_table
    add     x1, x1, #:lo12:hocket_stub_table
    ldr     x2, =HOCKET_KERNEL_OFFSET
    sub     x1, x1, x2
    msr     ttbr1_el1, x1
    mov     x1, #HOCKET_MAIR
    msr     mair_el1, x1
    mov     x1, #HOCKET_STUB_ADDRESS
    msr     vbar_el1, x1
    mov     x1, #(3 << 20)              // CPACR_EL1.FPEN: EL3 decides about traps (CPTR_EL3)
    msr     cpacr_el1, x1
    mov     x1, #2                      // CNTKCTL_EL1.EL0VCTEN: EL0 reads the virtual counter
    msr     cntkctl_el1, x1
    mov     x1, #(1 << 12)              // MDSCR_EL1.TDCC
    msr     mdscr_el1, x1
    msr     pmuserenr_el0, xzr
    msr     tpidrro_el0, xzr
    isb
    msr     tcr_el1, x3
    isb
    ret
    .size hocket_begin_secure, . - hocket_begin_secure

// void hocket_give_to_normal(const uint64_t registers[16]): loads the other world's registers.
    .global hocket_give_to_normal
    .type hocket_give_to_normal, %function
hocket_give_to_normal:
    ldr     x1, =SECURE_TCR | TABLES_OFF
    msr     tcr_el1, x1
    mov     x1, #HOCKET_SCR_NORMAL
    isb
    msr     scr_el3, x1
    ldp     x1, x3, [x0]
    msr     sctlr_el1, x1
    GIVE    ttbr0_el1, ttbr1_el1, 16
    GIVE    mair_el1, vbar_el1, 32
    GIVE    cpacr_el1, cntkctl_el1, 48
    GIVE    mdscr_el1, pmuserenr_el0, 64
    GIVE    tpidr_el0, tpidrro_el0, 80
    GIVE    esr_el1, far_el1, 96
    GIVE    elr_el1, spsr_el1, 112
    isb
    msr     tcr_el1, x3
    isb
    ret
    .size hocket_give_to_normal, . - hocket_give_to_normal

// void hocket_run_normal(void** stack, uint64_t entry, uint64_t argument)
//
// Enters EL1 of the other world, whose EL1 registers must be loaded, with no kernel value in any
// register. Returns by hocket_leave_normal(*stack), on the same core.
    .global hocket_run_normal
    .type hocket_run_normal, %function
hocket_run_normal:
    stp     x29, x30, [sp, #-96]!
    stp     x19, x20, [sp, #16]
    stp     x21, x22, [sp, #32]
    stp     x23, x24, [sp, #48]
    stp     x25, x26, [sp, #64]
    stp     x27, x28, [sp, #80]
    mov     x3, sp
    str     x3, [x0]
    msr     elr_el3, x1
    mov     x0, #0x3c5                  // EL1h, everything masked
    msr     spsr_el3, x0
    mov     x0, #0xff                   // the priorities of its own interrupts are its own affair
    msr     icc_pmr_el1, x0
    msr     sp_el0, xzr
    mov     x0, x2
    .irp    n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    mov     x\n, xzr
    .endr
    .irp    n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
    mov     x\n, xzr
    .endr
    eret
    .size hocket_run_normal, . - hocket_run_normal

// [[noreturn]] void hocket_leave_normal(void* stack)
    .global hocket_leave_normal
    .type hocket_leave_normal, %function
hocket_leave_normal:
    mov     sp, x0
    ldp     x19, x20, [sp, #16]
    ldp     x21, x22, [sp, #32]
    ldp     x23, x24, [sp, #48]
    ldp     x25, x26, [sp, #64]
    ldp     x27, x28, [sp, #80]
    ldp     x29, x30, [sp], #96
    ret
    .size hocket_leave_normal, . - hocket_leave_normal
    .ltorg
