// Leaving the final map behind, for a restart (restart.h). The coarse map of start.S has the kernel at
// the same addresses, so we go on where we are.
#include "ports/aarch64/exception_level.inc"
#include "ports/aarch64/layout.h"

    .macro USE_COARSE_MAP
    mrs     x9, AT_LEVEL(sctlr)         // its memory is writable and executable
    bic     x9, x9, #HOCKET_SCTLR_WXN
    msr     AT_LEVEL(sctlr), x9
    isb
    adrp    x9, hocket_boot_tables
    ldr     x10, =HOCKET_KERNEL_OFFSET
    sub     x9, x9, x10
    msr     AT_LEVEL(ttbr1), x9
    msr     AT_LEVEL(ttbr0), x9
    msr     AT_LEVEL(cpacr), xzr
    isb
    FORGET_TRANSLATIONS
    dsb     nsh
    isb
    .endm

    .section .text.hocket_restart, "ax"

// [[noreturn]] void hocket_restart_first_core()
    .global hocket_restart_first_core
hocket_restart_first_core:
    USE_COARSE_MAP
    mov     x19, xzr
    b       hocket_warm_start

// [[noreturn]] void hocket_park(uint64_t core, uint32_t* parked, uint32_t* release)
// Uses nothing but registers and the two words: core 0 makes everything else anew meanwhile.
    .global hocket_park
hocket_park:
    mov     x19, x0
    mov     x20, x1
    mov     x21, x2
    USE_COARSE_MAP
1:  ldaxr   w9, [x20]
    add     w9, w9, #1
    stlxr   w10, w9, [x20]
    cbnz    w10, 1b
2:  ldar    w9, [x21]
    cbnz    w9, 3f
    wfe
    b       2b
3:  str     wzr, [x21]
    b       hocket_begin_again

// [[noreturn]] void hocket_sleep()
    .global hocket_sleep
hocket_sleep:
    USE_COARSE_MAP
1:  dsb     sy
    wfi
    b       1b
    .ltorg
