// The exception vectors of a kernel at EL3.
//
// Like those at EL1 (el1/vectors.S), with these differences:
//   - There is one level of interrupts, FIQ. IRQ never enters here.
//   - An exception from a lower level belongs to the sketch, and then comes by secure EL1's SMC
//     (stub.S), or to the other world: SCR_EL3.NS says to which. After a switch of threads, the
//     registers of EL1 may belong to another world than the one to return to. For a sketch's thread
//     they have been changed already, when its domain was entered (worlds.cpp).
//   - In the kernel, ICC_PMR_EL1 masks the other world's interrupts, which would be FIQs here.
#include "ports/aarch64/entry.inc"

// For a lower level: saves SP_EL0, the priority mask, and the world.
    .macro KEEP_LOWER
    mrs     x2, sp_el0
    str     x2, [sp, #HOCKET_FRAME_SP0]
    mrs     x2, icc_pmr_el1
    mrs     x3, scr_el3
    stp     x2, x3, [sp, #HOCKET_FRAME_PMR]
    mov     x2, #HOCKET_PMR_SECURE
    msr     icc_pmr_el1, x2
    .endm

// After a real-time handler; x0: the interrupted PSTATE. Masks of the other world do not concern
// the kernel. A sketch that was on its way through the stub repeats its instruction, because EL1's
// registers will be overwritten.
    .macro KEEP_OF_LOWER
    KEEP_LOWER
    tbnz    x3, #0, 1f
    tbz     x0, #2, 2f                  // EL0
    mrs     x1, esr_el1
    mrs     x2, elr_el1
    mrs     x0, spsr_el1
    lsr     w1, w1, #26
    cmp     w1, #0x15                   // SVC: ELR is behind it
    sub     x3, x2, #4
    csel    x2, x3, x2, eq
    stp     x2, x0, [sp, #HOCKET_FRAME_ELR]
    b       2f
1:  mov     x0, xzr
2:
    .endm

    .section .text.vectors, "ax"
    .balign 0x800
    .global hocket_vectors
hocket_vectors:
    UNEXPECTED 0                        // EL3 with SP_EL0: the kernel never runs so
    UNEXPECTED 1
    UNEXPECTED 2
    UNEXPECTED 3

    .balign 0x80                        // EL3: synchronous
    msr     sp_el0, x0
    b       kernel_trap
    UNEXPECTED 5                        // EL3: IRQ (SCR_EL3.IRQ is zero)
    .balign 0x80                        // EL3: FIQ
    REAL_TIME
    b       go_back
    UNEXPECTED 7                        // EL3: SError

    .balign 0x80                        // a lower level: synchronous
    stp     x16, x17, [sp, #-HOCKET_CALL_SIZE]!
    mrs     x16, scr_el3
    tbnz    x16, #0, normal_trap
    mrs     x16, esr_el3
    lsr     w17, w16, #26               // exception class (D17.2.39)
    cmp     w17, #0x17                  // SMC: the stub's
    b.ne    secure_trap
    mrs     x16, esr_el1
    lsr     w17, w16, #26
    cmp     w17, #0x15                  // SVC
    b.eq    system_call
    b       user_fault
    UNEXPECTED 9                        // a lower level: IRQ (SCR_EL3.IRQ is zero)
    .balign 0x80                        // a lower level: FIQ
    REAL_TIME lower
    b       go_back_to_lower
    UNEXPECTED 11                       // a lower level: SError (SCR_EL3.EA is zero)

    UNEXPECTED 12                       // EL1 in AArch32: not possible (SCR_EL3.RW)
    UNEXPECTED 13
    UNEXPECTED 14
    UNEXPECTED 15

go_back:
    GO_BACK

go_back_to_lower:
    ldr     x0, [sp, #HOCKET_FRAME_SCR]
    tbz     x0, #0, 2f
    mrs     x0, scr_el3
    tbz     x0, #0, 1f
    adrp    x0, hocket_normal_world_state
    ldr     w0, [x0, #:lo12:hocket_normal_world_state]
    cmp     w0, #HOCKET_NORMAL_WORLD_RUNS
    b.eq    2f
1:  bl      hocket_enter_normal_world  // does not return if it must stop
2:  ldp     x0, x1, [sp, #HOCKET_FRAME_SP0]
    msr     sp_el0, x0
    msr     icc_pmr_el1, x1
    GO_BACK

system_call:
    mrs     x16, elr_el1
    SYSTEM_CALL

// A floating-point instruction, while the registers hold another thread's values, traps directly to
// EL3.
secure_trap:
    cmp     w17, #0x07
    b.ne    kernel_defect_here
    ldp     x16, x17, [sp], #HOCKET_CALL_SIZE
    KEEP_FIRST
    KEEP_REST
    KEEP_LOWER
floating_point:
    bl      hocket_floating_point_trap
    b       go_back_to_lower
kernel_defect_here:
    mov     x0, #8
    b       kernel_defect

user_fault:
    mrs     x0, esr_el1
    mrs     x1, elr_el1
    mrs     x2, far_el1
    mov     x3, x30
    msr     daifclr, #3                 // reporting and undoing it may take long
    bl      hocket_user_fault           // does not return

// The other world: a call by SMC, floating point as above, or an illegal access. Unmasked as soon as the unique
// registers are saved, and masked again only to load them: an alarm that is due in these instructions waits for at
// most 20 instructions on the way in and 17 on the way out (tests/contract/aarch64/test_neighbour.py).
normal_trap:
    ldp     x16, x17, [sp], #HOCKET_CALL_SIZE
    KEEP_FIRST
    stp     x2, x3, [sp, #16]
    KEEP_LOWER
    mrs     x1, esr_el3
    lsr     w2, w1, #26
    cmp     w2, #0x07
    b.eq    normal_floating_point
    msr     daifclr, #3
    KEEP_REST_BUT_X2
    mov     x0, sp
    bl      hocket_normal_trap
    LOAD_REST
    msr     daifset, #3
    mrs     x0, scr_el3
    tbz     x0, #0, 1f
    adrp    x0, hocket_normal_world_state
    ldr     w0, [x0, #:lo12:hocket_normal_world_state]
    cmp     w0, #HOCKET_NORMAL_WORLD_RUNS
    b.ne    1f
    ldp     x0, x1, [sp, #HOCKET_FRAME_SP0]
    msr     sp_el0, x0
    msr     icc_pmr_el1, x1
    LOAD_STATE
    LOAD_FIRST_AND_RETURN
1:  KEEP_REST
    b       go_back_to_lower
normal_floating_point:
    KEEP_REST_BUT_X2
    b       floating_point

#include "ports/aarch64/traps.inc"
