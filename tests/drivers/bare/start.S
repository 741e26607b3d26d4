// First instructions and exception vectors of the bare test programs: EL1, MMU off, one stack a core.
//
// QEMU virt enters at EL1 on core 0; further cores come by PSCI at `bare_secondary`. A Raspberry Pi
// enters at EL2, where the others wait for an address at 0xd8 + 8 · core (drivers/spin_table); when
// an emulator sends all of them here they wait in the same way.
#include "ports/aarch64/frame.inc"

    .section .text.start, "ax"
    .global _start
_start:
    mrs x0, mpidr_el1
    and x0, x0, #3
    cbz x0, bare_secondary
    mov x1, #0xd8
    add x1, x1, x0, lsl #3
1:  wfe
    ldr x2, [x1]
    cbz x2, 1b
    br x2

    .global bare_secondary
bare_secondary:
    mrs x0, currentel
    cmp x0, #(2 << 2)
    b.ne 2f
    mov x0, #(1 << 31)              // HCR_EL2.RW: EL1 is AArch64
    msr hcr_el2, x0
    mov x0, #3                      // EL1 may use the counters and the physical timer
    msr cnthctl_el2, x0
    msr cntvoff_el2, xzr
    movz x0, #0x30d0, lsl #16       // SCTLR_EL1: RES1 bits, MMU and caches off
    movk x0, #0x0800
    msr sctlr_el1, x0
    mov x0, #0x3c5                  // EL1 with SP_EL1, all masked
    msr spsr_el2, x0
    adr x0, 2f
    msr elr_el2, x0
    eret

2:  adrp x0, bare_vectors
    add x0, x0, :lo12:bare_vectors
    msr vbar_el1, x0
    isb
    mrs x0, mpidr_el1
    and x0, x0, #3
    adrp x1, bare_stacks
    add x1, x1, :lo12:bare_stacks
    add x2, x0, #1
    add x1, x1, x2, lsl #14         // 16 KiB a core
    mov sp, x1
    cbnz x0, 4f
    adrp x1, bare_bss_begin
    add x1, x1, :lo12:bare_bss_begin
    adrp x2, bare_bss_end
    add x2, x2, :lo12:bare_bss_end
3:  str xzr, [x1], #8
    cmp x1, x2
    b.lo 3b
4:  bl bare_core
5:  wfi
    b 5b

    .macro handler function         // 0x80 bytes each
    .balign 0x80
    KEEP_FIRST
    adr x1, \function
    b bare_enter
    .endm

    .text
bare_enter:
    KEEP_REST
    blr x1
    GO_BACK

    .balign 2048
bare_vectors:
    .rept 4                         // SP_EL0 is never used
    handler bare_unexpected
    .endr
    handler bare_unexpected         // synchronous
    handler bare_irq
    handler bare_fiq
    handler bare_unexpected         // SError
    .rept 8                         // nothing runs at EL0
    handler bare_unexpected
    .endr

    .bss
    .balign 16
bare_stacks:
    .skip 4 * 16384
