// From the coarse map (start.S) to the kernel's final map and back, by break-before-make (DDI 0487,
// D8, "TLB maintenance"), as in el1/maps.S. Here the two halves are the two entries of this core's
// level 0:
//
//   hocket_roots[core]   0: the lower half    1: the kernel's half
//
// Masked. Nothing is read, written or called while a half has no map, except the roots, through the
// other half.
#include "exception_level.inc"
#include "ports/aarch64/layout.h"

    .macro FORGET_ALL
    dsb     ish
    FORGET_TRANSLATIONS
    dsb     nsh
    isb
    .endm

// Sets the entry of the kernel's half to \entry. x9: the root's physical address; x11:
// HOCKET_KERNEL_OFFSET. x12 is lost.
    .macro REPLACE_KERNEL_HALF entry
    adr     x12, 1f
    sub     x12, x12, x11
    br      x12
1:  str     xzr, [x9, #8]
    FORGET_ALL
    str     \entry, [x9, #8]
    dsb     ish
    isb
    adr     x12, 2f
    add     x12, x12, x11
    br      x12
2:
    .endm

    .section .text.hocket_maps, "ax"

// void hocket_use_final_map(uint64_t kernel, uint64_t nothing)
//
// Installs the kernel's final table; the lower half has no entry. From here on, no writable memory
// is executable. The caller's stack is in both maps.
    .global hocket_use_final_map
hocket_use_final_map:
    ldr     x11, =HOCKET_KERNEL_OFFSET
    mrs     x9, ttbr0_el3
    orr     x0, x0, #3
    dsb     ish                         // the tables, for the walker
    REPLACE_KERNEL_HALF x0
    add     x10, x9, x11
    str     xzr, [x10]
    mrs     x12, sctlr_el3
    orr     x12, x12, #HOCKET_SCTLR_WXN
    msr     sctlr_el3, x12
    isb
    FORGET_ALL
    ret

// For a restart. Uses only registers; x9 to x12 are lost.
    .global hocket_use_coarse_map
hocket_use_coarse_map:
    msr     daifset, #0xf
    mrs     x9, sctlr_el3               // its memory is writable and executable
    bic     x9, x9, #HOCKET_SCTLR_WXN
    msr     sctlr_el3, x9
    ldr     x11, =HOCKET_KERNEL_OFFSET
    mrs     x9, ttbr0_el3
    add     x12, x9, x11
    str     xzr, [x12]
    FORGET_ALL
    adrp    x10, hocket_boot_tables
    sub     x10, x10, x11
    orr     x10, x10, #3
    str     x10, [x12]
    dsb     ish
    isb
    REPLACE_KERNEL_HALF x10
    mov     x9, #HOCKET_CPTR_TRAP
    msr     cptr_el3, x9
    isb
    ret
    .ltorg

    .section .start_data, "aw"
    .balign 64
    .global hocket_roots
hocket_roots:
    .fill   8 * 8, 8, 0
// A core that waits since the reset continues when its word is HOCKET_RELEASED plus its number.
    .global hocket_releases
hocket_releases:
    .fill   8, 8, 0
