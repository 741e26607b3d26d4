// Leaving the final map behind, for a restart (restart.h). The coarse map of start.S has the kernel at
// the same addresses, so we go on where we are.
    .section .text.hocket_restart, "ax"

// [[noreturn]] void hocket_restart_first_core()
    .global hocket_restart_first_core
hocket_restart_first_core:
    bl      hocket_use_coarse_map
    mov     x19, xzr
    b       hocket_warm_start

// [[noreturn]] void hocket_park(uint64_t core, uint32_t* parked, uint32_t* release)
// Uses nothing but registers and the two words: core 0 makes everything else anew meanwhile.
    .global hocket_park
hocket_park:
    mov     x19, x0
    mov     x20, x1
    mov     x21, x2
    bl      hocket_use_coarse_map
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
    bl      hocket_use_coarse_map
1:  dsb     sy
    wfi
    b       1b
