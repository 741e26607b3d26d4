// From the first instruction of a core to C++: the exception level, the MMU with a coarse map, a
// stack.
//
// The boot tables map the board's first MiB of RAM (64; 16 at EL3) twice: at its physical address,
// where this code runs first, and at the kernel's address, where it continues. Both mappings are
// writable and executable. The kernel replaces them by its final map before it does anything else
// (ports/aarch64/memory_map.cpp). Both halves use one table: the kernel's offset
// changes only bits above the 39 translated ones.
//
// One register is in use throughout: x19, the core's number.
#include "exception_level.inc"
#include "ports/aarch64/layout.h"

    .section .text.start, "ax"
    .global hocket_start
hocket_start:
    mrs     x19, mpidr_el1
    and     x19, x19, #0xff
    COME_TO_LEVEL

    ldr     x0, =HOCKET_MAIR
    msr     AT_LEVEL(mair), x0
    ldr     x0, =HOCKET_TCR
    msr     AT_LEVEL(tcr), x0
    USE_BOOT_TABLES x0
    isb
    FORGET_TRANSLATIONS
    ic      iallu
    dsb     nsh
    isb
    ldr     x0, =HOCKET_SCTLR
    msr     AT_LEVEL(sctlr), x0
    isb
    ldr     x0, =hocket_begin_again
    br      x0

// At the kernel's addresses, with the coarse map. A core that was parked also enters here.
    .global hocket_begin_again
hocket_begin_again:
    ldr     x0, =hocket_vectors
    msr     AT_LEVEL(vbar), x0
    msr     daifset, #0xf
    adrp    x0, hocket_boot_stacks_end
    add     x0, x0, #:lo12:hocket_boot_stacks_end
    mov     x1, #HOCKET_BOOT_STACK
    msub    x0, x19, x1, x0             // core 0 has the last one
    mov     sp, x0
    cbnz    x19, 5f

// Core 0. The initial values of variables are copied, for a restart
// (arduino/cores/protected/kernel/restart.h).
    bl      data_addresses
    bl      copy
    adrp    x1, hocket_kept_zero_begin  // records that survive a restart begin empty
    add     x1, x1, #:lo12:hocket_kept_zero_begin
    b       clear

    .global hocket_warm_start
hocket_warm_start:
    adrp    x0, hocket_boot_stacks_end
    add     x0, x0, #:lo12:hocket_boot_stacks_end
    mov     sp, x0
    bl      data_addresses
    sub     x2, x2, x0                  // the other direction: compute the end of the copy
    add     x2, x2, x1
    mov     x3, x0
    mov     x0, x1
    mov     x1, x3
    bl      copy
    adrp    x1, hocket_bss_begin
    add     x1, x1, #:lo12:hocket_bss_begin
clear:
    adrp    x2, hocket_bss_end
    add     x2, x2, #:lo12:hocket_bss_end
4:  cmp     x1, x2
    b.hs    5f
    stp     xzr, xzr, [x1], #16
    b       4b
5:  mov     x0, x19
    mov     x29, xzr
    mov     x30, xzr
    bl      hocket_kernel_start         // does not return
    brk     #3
    .ltorg

// Returns x0: begin of the initialised variables, x2: their end, x1: the copy.
data_addresses:
    adrp    x0, hocket_data_begin
    add     x0, x0, #:lo12:hocket_data_begin
    adrp    x2, hocket_data_end
    add     x2, x2, #:lo12:hocket_data_end
    adrp    x1, hocket_data_copy
    add     x1, x1, #:lo12:hocket_data_copy
    ret

// Copies from x0 until x2 to x1, 16 bytes at a time.
copy:
    cmp     x0, x2
    b.hs    3f
    ldp     x3, x4, [x0], #16
    stp     x3, x4, [x1], #16
    b       copy
3:  ret

// --- Boot tables: level 1 points at one level 2 with blocks of 2 MiB ---

    .set    BLOCK, 0x1 | (1 << 2) | (3 << 8) | (1 << 10) | HOCKET_BLOCK_OF_LEVEL  // normal memory, inner shareable, accessed
    .section .boot_tables, "a"
    .balign 4096
    .global hocket_boot_tables
hocket_boot_tables:
    .fill   HOCKET_RAM_BASE >> 30, 8, 0
    .quad   boot_level_2 - HOCKET_KERNEL_OFFSET + 3
    .fill   511 - (HOCKET_RAM_BASE >> 30), 8, 0
boot_level_2:
    .fill   (HOCKET_RAM_BASE >> 21) & 511, 8, 0
    .set    block, 0
    .rept   HOCKET_BOOT_BLOCKS
    .quad   HOCKET_RAM_BASE + block * 0x200000 + BLOCK
    .set    block, block + 1
    .endr
    .fill   512 - HOCKET_BOOT_BLOCKS - ((HOCKET_RAM_BASE >> 21) & 511), 8, 0

    .section .start_data, "aw"
    .balign 8
// Where the virtual counter begins if the loader starts us at EL2. A test starts it close to a
// limit.
    .global hocket_counter_start
hocket_counter_start:
    .quad   0
// How far the physical counter was ahead of it then; 0: the loader did not start us at EL2.
    .global hocket_counter_offset
hocket_counter_offset:
    .quad   0
