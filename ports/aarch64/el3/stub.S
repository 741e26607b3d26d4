// All of secure EL1: a page of vectors that forward the sketch's calls and faults to EL3.
//
// EL3 finds what happened in the registers of EL1 (ESR, ELR, SPSR, FAR), and returns to EL0
// directly. Nothing ever returns to this code, and it has no stack and no data. A FIQ between the
// sketch's exception and the SMC enters EL3 at once; the sketch's instruction is then repeated
// (vectors.S).
//
// Tables: TTBR1_EL1 with 32 MiB begins at level 2 (T1SZ 39). One entry leads to level 3, which has
// one page.
#include "ports/aarch64/layout.h"

    .section .text.hocket_stub, "ax"
    .balign 4096
    .global hocket_stub
hocket_stub:
    .rept   16                          // each vector
    smc     #0
    b       .
    .balign 0x80
    .endr
    .balign 4096

// Accessed, inner shareable, write-back (MAIR_EL1's attribute 1), read-only for EL1 only, not
// executable for EL0.
    .set    STUB_PAGE, 3 | (1 << 10) | (3 << 8) | (1 << 2) | (1 << 7) | (1 << 54)

    .section .boot_tables, "a"
    .balign 4096
stub_level_3:
    .quad   hocket_stub - HOCKET_KERNEL_OFFSET + STUB_PAGE
    .fill   511, 8, 0
    .global hocket_stub_table
hocket_stub_table:
    .quad   stub_level_3 - HOCKET_KERNEL_OFFSET + 3
    .fill   15, 8, 0
    .balign 4096
