// From the coarse map (start.S) to the kernel's final map and back, by break-before-make. Between
// two maps of the same addresses, the kernel's half has no map at all, and no TLB entry of the
// first map is left when the second begins (DDI 0487, D8, "TLB maintenance"). Meanwhile the code
// runs in the lower half, where the coarse map has everything at its physical address.
//
// Masked. Nothing is read, written or called while a half has no map.
#include "exception_level.inc"
#include "ports/aarch64/layout.h"

    .macro FORGET_ALL
    FORGET_TRANSLATIONS
    dsb     nsh
    isb
    .endm

// Sets the table of the kernel's half to \table. x11: HOCKET_KERNEL_OFFSET. x9 and x12 are lost.
    .macro REPLACE_KERNEL_HALF table
    adr     x12, 1f
    sub     x12, x12, x11
    br      x12
1:  KERNEL_HALF_AWAY x9
    FORGET_ALL
    msr     AT_LEVEL(ttbr1), \table
    isb
    HALVES_BACK x9
    FORGET_ALL
    adr     x12, 2f
    add     x12, x12, x11
    br      x12
2:
    .endm

    .section .text.hocket_maps, "ax"

// void hocket_use_final_map(uint64_t kernel, uint64_t nothing)
//
// Installs the kernel's final table, and an empty one for the lower half. From here on, no writable
// memory is executable. The caller's stack is in both maps.
    .global hocket_use_final_map
hocket_use_final_map:
    dsb     ishst                       // the tables, for the walker
    ldr     x11, =HOCKET_KERNEL_OFFSET
    REPLACE_KERNEL_HALF x0
    msr     AT_LEVEL(ttbr0), x1
    mrs     x9, AT_LEVEL(sctlr)
    orr     x9, x9, #HOCKET_SCTLR_WXN
    msr     AT_LEVEL(sctlr), x9
    isb
    FORGET_ALL
    ret

// For a restart. Uses only registers; x9 to x12 are lost.
    .global hocket_use_coarse_map
hocket_use_coarse_map:
    msr     daifset, #0xf
    mrs     x9, AT_LEVEL(sctlr)         // its memory is writable and executable
    bic     x9, x9, #HOCKET_SCTLR_WXN
    msr     AT_LEVEL(sctlr), x9
    adrp    x10, hocket_boot_tables
    ldr     x11, =HOCKET_KERNEL_OFFSET
    sub     x10, x10, x11
    LOWER_HALF_AWAY x9
    FORGET_ALL
    msr     AT_LEVEL(ttbr0), x10
    isb
    HALVES_BACK x9
    REPLACE_KERNEL_HALF x10
    msr     AT_LEVEL(cpacr), xzr
    isb
    ret
    .ltorg
