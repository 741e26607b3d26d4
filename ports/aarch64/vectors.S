// The exception vectors.
//
// Every entry works on the running thread's kernel stack, with a frame there (frame.inc).
//
// The hardware masks both levels at every entry, and ELR and SPSR are one of a kind. An ordinary
// interrupt unmasks FIQ as soon as they are safe, and masks it again only to load them: an alarm that
// is due in these instructions waits for at most 4 on the way in and 7 on the way out; nothing else of
// the ordinary level delays the real-time one (docs/reference/interrupt-levels.md, tests/contract).
#include "controller.h"
#include "ports/aarch64/frame.inc"
#include "ports/aarch64/layout.h"

// Back from an ordinary handler, FIQ unmasked. If it, or a FIQ until this very look, left something to
// decide, goes to `deferred` instead, masked, with the frame in place.
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

    .macro GO_BACK_TO_USER
    ldr     x0, [sp, #HOCKET_FRAME_SP0]
    msr     sp_el0, x0
    GO_BACK
    .endm

// Real-time level: acknowledge and call the handler (interrupts.h), then see whether it woke a thread
// that should run at once. Masked until then, so ELR, SPSR and SP_EL0 can wait: before the handler comes
// only what it may destroy, and what finds it.
    .macro REAL_TIME user
    stp     x0, x1, [sp, #-HOCKET_FRAME_SIZE]!
    KEEP_REST
#ifdef HOCKET_ACKNOWLEDGE_BY_REGISTER
    mrs     x0, icc_iar0_el1
    msr     icc_eoir0_el1, x0
    mrs     x1, AT_LEVEL(tpidr)
    ldr     x2, [x1, #HOCKET_LOCAL_LINES]
    mov     w3, #1
    strb    w3, [x1, #HOCKET_LOCAL_IN_IRQ]
    add     x2, x2, x0, lsl #4          // an entry: function, argument
    ldp     x2, x0, [x2]
    blr     x2
#else
    bl      hocket_real_time_interrupt
#endif
    mrs     x1, AT_LEVEL(elr)
    mrs     x0, AT_LEVEL(spsr)
    stp     x1, x0, [sp, #HOCKET_FRAME_ELR]
    .ifnb   \user
    KEEP_USER_STACK x2
    .endif
    bl      hocket_after_interrupt
    mrs     x0, AT_LEVEL(tpidr)
    strb    wzr, [x0, #HOCKET_LOCAL_IN_IRQ]
    .endm

    .macro UNEXPECTED number
    .balign 0x80
    msr     sp_el0, x0                  // free: its value is in a frame, or not in use
    mov     x0, #\number
    b       kernel_defect
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
    bl      hocket_run_deferred         // may go on with another thread; masked
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

// A system call: number in x8, arguments in x0 to x3. Calls run unmasked, like any thread. The sketch's
// flags are lost, as in an ordinary call, so its PSTATE is known.
system_call:
    mrs     x16, AT_LEVEL(elr)
    mrs     x17, sp_el0
    stp     x30, x16, [sp, #HOCKET_CALL_LINK]
    str     x17, [sp, #HOCKET_CALL_SP0]
    msr     daifclr, #3
    cmp     x8, #HOCKET_SYSTEM_CALL_ROOM
    b.hs    no_such_call
    adr     x16, hocket_system_calls
    ldr     x16, [x16, x8, lsl #3]
    mov     x4, sp                      // fifth argument: the frame
    blr     x16
    msr     daifset, #3
    ldp     x30, x16, [sp, #HOCKET_CALL_LINK]
    ldr     x17, [sp, #HOCKET_CALL_SP0]
    msr     AT_LEVEL(elr), x16
    msr     AT_LEVEL(spsr), xzr         // EL0t, nothing masked
    msr     sp_el0, x17
    add     sp, sp, #HOCKET_CALL_SIZE
    .irp    n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18
    mov     x\n, xzr                    // what the kernel had there is not the sketch's
    .endr
    eret

no_such_call:
    mov     x0, sp
    bl      hocket_no_such_call         // a fault of the loop; does not return

// What else stops a sketch: a floating-point instruction while another thread's values are in the
// registers, or a fault.
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
    msr     daifclr, #3                 // what is told of it, and undone, may take long
    bl      hocket_user_fault           // does not return

// A trap in the kernel itself: floating point in a test's thread, or a probe for something that may
// not be there (defects.cpp); everything else is a defect of the kernel. Nothing is pushed before we
// know: the stack pointer itself may be what is wrong.
kernel_trap:
    mrs     x0, AT_LEVEL(esr)
    lsr     w0, w0, #26
    cmp     w0, #0x07
    b.eq    kernel_floating_point
    cbz     w0, kernel_undefined
    mov     x0, #4
    b       kernel_defect
kernel_floating_point:
    mrs     x0, sp_el0
    KEEP_FIRST
    KEEP_REST
    bl      hocket_floating_point_trap
    b       go_back
kernel_undefined:
    mrs     x0, AT_LEVEL(elr)
    adrp    x1, hocket_probe            // destroyed: the probe says so, anything else ends here
    add     x1, x1, #:lo12:hocket_probe
    cmp     x0, x1
    mov     x0, #4
    b.ne    kernel_defect
    adrp    x1, hocket_probe_failed
    add     x1, x1, #:lo12:hocket_probe_failed
    msr     AT_LEVEL(elr), x1
    eret

// x0: number of the vector. Goes on with a stack that is surely good.
kernel_defect:
    mrs     x5, AT_LEVEL(tpidr)
    mov     x4, sp
    ldr     x6, [x5, #HOCKET_LOCAL_EMERGENCY]
    mov     sp, x6
    mrs     x1, AT_LEVEL(esr)
    mrs     x2, AT_LEVEL(elr)
    mrs     x3, AT_LEVEL(far)
    bl      hocket_kernel_defect        // does not return
    brk     #2
