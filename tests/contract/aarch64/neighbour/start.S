// The neighbour's first instructions, its exceptions, and work that notices whether registers stay what they are.
// EL1 of the non-secure state, MMU off. x0: what the kernel gives as argument; of other cores their number.
    .arch_extension simd
    .section .text.start, "ax"
    .global neighbour_start
neighbour_start:
    mov     x19, x0
    mrs     x1, mpidr_el1
    and     x1, x1, #0xff
    adr     x2, stacks_end
    mov     x3, #0x2000
    msub    x2, x1, x3, x2
    mov     sp, x2
    adr     x2, vectors
    msr     vbar_el1, x2
    mov     x2, #(3 << 20)
    msr     cpacr_el1, x2
    isb
    mov     x0, x1
    mov     x1, x19
    bl      neighbour_main
    b       .

    .macro VECTOR target
    .balign 0x80
    stp     x0, x1, [sp, #-192]!
    stp     x2, x3, [sp, #16]
    stp     x4, x5, [sp, #32]
    stp     x6, x7, [sp, #48]
    stp     x8, x9, [sp, #64]
    stp     x10, x11, [sp, #80]
    stp     x12, x13, [sp, #96]
    stp     x14, x15, [sp, #112]
    stp     x16, x17, [sp, #128]
    stp     x18, x30, [sp, #144]
    bl      \target
    ldp     x18, x30, [sp, #144]
    ldp     x16, x17, [sp, #128]
    ldp     x14, x15, [sp, #112]
    ldp     x12, x13, [sp, #96]
    ldp     x10, x11, [sp, #80]
    ldp     x8, x9, [sp, #64]
    ldp     x6, x7, [sp, #48]
    ldp     x4, x5, [sp, #32]
    ldp     x2, x3, [sp, #16]
    ldp     x0, x1, [sp], #192
    eret
    .endm

    .balign 0x800
vectors:
    .rept   4
    VECTOR  neighbour_unexpected
    .endr
    VECTOR  neighbour_fault
    VECTOR  neighbour_interrupt
    .rept   10
    VECTOR  neighbour_unexpected
    .endr

// uint64_t neighbour_work(uint64_t seed, uint64_t turns): registers are filled with values made of the seed, time
// passes, and they are looked at; how many are wrong. Interrupts of its own may come.
    .global neighbour_work
neighbour_work:
    stp     x29, x30, [sp, #-112]!
    stp     x19, x20, [sp, #16]
    stp     x21, x22, [sp, #32]
    stp     x23, x24, [sp, #48]
    stp     x25, x26, [sp, #64]
    stp     x27, x28, [sp, #80]
    str     x1, [sp, #96]
    .irp    n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
    add     x\n, x0, #\n
    .endr
    .irp    n, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
    add     x\n, x0, #\n
    .endr
    .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 15, 16, 23, 30, 31
    dup     v\n\().2d, x\n
    .endr
    msr     sp_el0, x3
    msr     tpidr_el0, x4
    msr     tpidr_el1, x5
    msr     tpidrro_el0, x6
    msr     contextidr_el1, x7
    msr     far_el1, x8
    msr     par_el1, xzr
    msr     fpsr, xzr
1:  subs    x1, x1, #1
    b.ne    1b
    mov     x1, xzr
    .macro  SAME register, n
    sub     \register, \register, x0
    cmp     \register, #\n
    cinc    x1, x1, ne
    .endm
    .irp    n, 0, 2, 3, 4, 5, 6, 7, 15, 16, 23, 30
    .if     \n == 0
    umov    x9, v0.d[1]
    sub     x9, x9, x0
    cbz     x9, 2f
    add     x1, x1, #1
2:
    .else
    umov    x9, v\n\().d[1]
    SAME    x9, \n
    .endif
    .endr
    mrs     x9, sp_el0
    SAME    x9, 3
    mrs     x9, tpidr_el0
    SAME    x9, 4
    mrs     x9, tpidr_el1
    SAME    x9, 5
    mrs     x9, tpidrro_el0
    SAME    x9, 6
    mrs     x9, far_el1
    SAME    x9, 8
    mov     x9, x0
    add     x9, x9, #9
    .irp    n, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
    SAME    x\n, \n
    .endr
    .irp    n, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
    SAME    x\n, \n
    .endr
    mov     x0, x1
    ldp     x19, x20, [sp, #16]
    ldp     x21, x22, [sp, #32]
    ldp     x23, x24, [sp, #48]
    ldp     x25, x26, [sp, #64]
    ldp     x27, x28, [sp, #80]
    ldp     x29, x30, [sp], #112
    ret

    .section .bss
    .balign 16
    .skip   8 * 0x2000
stacks_end:
