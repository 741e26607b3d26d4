// The exception vectors of a kernel at EL1.
//
// Every entry works on the running thread's kernel stack, with a frame there (frame.inc).
//
// The hardware masks both levels at every entry, and there is only one ELR and one SPSR. An ordinary interrupt
// unmasks FIQ as soon as they are saved, and masks it again only to load them. An alarm that is due in these
// instructions waits for at most 4 instructions on the way in and 7 on the way out. Nothing else of the ordinary
// level delays the real-time level (docs/reference/interrupt-levels.md, tests/contract).
#include "ports/aarch64/entry.inc"

// Returns from an ordinary handler, with FIQ unmasked. If the handler, or a FIQ up to this very
// test, left a decision, goes to `deferred` instead, masked, with the frame in place.
    .macro GO_BACK_FROM_ORDINARY deferred
    LOAD_REST
    mrs     x0, AT_LEVEL(tpidr)
    msr     daifset, #1
    ldrb    w0, [x0, #HOCKET_LOCAL_DEFERRED]
    cbnz    w0, \deferred
    LOAD_STATE
    LOAD_FIRST_AND_RETURN
    .endm

    .macro KEEP_USER_STACK through=x0
    mrs     \through, sp_el0
    str     \through, [sp, #HOCKET_FRAME_SP0]
    .endm

    .macro KEEP_OF_LOWER
    KEEP_USER_STACK x2
    .endm

    .macro GO_BACK_TO_USER
    ldr     x0, [sp, #HOCKET_FRAME_SP0]
    msr     sp_el0, x0
    GO_BACK
    .endm

    .section .text.vectors, "ax"
    .balign 0x800
    .global hocket_vectors
hocket_vectors:
    UNEXPECTED 0                        // EL1 with SP_EL0: the kernel never runs so
    UNEXPECTED 1
    UNEXPECTED 2
    UNEXPECTED 3

    .balign 0x80                        // EL1: synchronous
    msr     sp_el0, x0
    b       kernel_trap
    .balign 0x80                        // EL1: IRQ
    KEEP_FIRST
    msr     daifclr, #1
    b       ordinary_from_kernel
    .balign 0x80                        // EL1: FIQ
    REAL_TIME
    b       go_back
    UNEXPECTED 7                        // EL1: SError

    .balign 0x80                        // EL0: synchronous
    stp     x16, x17, [sp, #-HOCKET_CALL_SIZE]!
    mrs     x16, AT_LEVEL(esr)
    lsr     w17, w16, #26               // exception class (D17.2.37)
    cmp     w17, #0x15                  // SVC
    b.eq    system_call
    b       user_trap
    .balign 0x80                        // EL0: IRQ
    KEEP_FIRST
    msr     daifclr, #1
    b       ordinary_from_user
    .balign 0x80                        // EL0: FIQ
    REAL_TIME user
    b       go_back_to_user
    UNEXPECTED 11                       // EL0: SError

    UNEXPECTED 12                       // EL0 in AArch32: not possible, SPSR is the kernel's
    UNEXPECTED 13
    UNEXPECTED 14
    UNEXPECTED 15

go_back:
    GO_BACK
go_back_to_user:
    GO_BACK_TO_USER

ordinary_from_kernel:
    KEEP_REST
    bl      hocket_ordinary_interrupt   // FIQ unmasked
    GO_BACK_FROM_ORDINARY deferred_in_kernel
deferred_in_kernel:
    KEEP_REST
    bl      hocket_run_deferred         // may switch to another thread; masked
    b       go_back

ordinary_from_user:
    KEEP_REST
    KEEP_USER_STACK
    bl      hocket_ordinary_interrupt
    ldr     x0, [sp, #HOCKET_FRAME_SP0]
    msr     sp_el0, x0
    GO_BACK_FROM_ORDINARY deferred_in_sketch
deferred_in_sketch:
    KEEP_REST
    bl      hocket_run_deferred
    b       go_back_to_user

system_call:
    mrs     x16, AT_LEVEL(elr)
    SYSTEM_CALL

// Other traps of a sketch: a floating-point instruction while the registers hold another thread's
// values, or a fault.
user_trap:
    cmp     w17, #0x07                  // access to floating point or SIMD
    b.ne    user_fault
    ldp     x16, x17, [sp], #HOCKET_CALL_SIZE
    KEEP_FIRST
    KEEP_REST
    KEEP_USER_STACK
    bl      hocket_floating_point_trap
    b       go_back_to_user
user_fault:
    mrs     x0, AT_LEVEL(esr)
    mrs     x1, AT_LEVEL(elr)
    mrs     x2, AT_LEVEL(far)
    mov     x3, x30
    msr     daifclr, #3                 // reporting and undoing it may take long
    bl      hocket_user_fault           // does not return

#include "ports/aarch64/traps.inc"
