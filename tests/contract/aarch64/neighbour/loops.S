// Loops of a sketch, at EL0 by themselves: no stack, registers only. A page each would do; they share one.
    .section .text.user, "ax"
    .balign 4096
    .global user_page
user_page:
// Waits to be woken (call 0), and tells when it goes on (call 1, the instant in x0).
    .global user_woken
user_woken:
    mov     x8, #0
    svc     #0
    mrs     x0, cntvct_el0
    mov     x8, #1
    svc     #0
    b       user_woken

// Counts by calls as fast as it can (call 2, the number in x0 and in x19 to x22), and stops itself when a register
// changes.
    .global user_counts
user_counts:
    mov     x19, #0
    mov     x20, #0
    mov     x21, #0
    mov     x22, #0
1:  mov     x0, x19
    mov     x8, #2
    svc     #0
    add     x19, x19, #1
    add     x20, x20, #1
    add     x21, x21, #1
    add     x22, x22, #1
    cmp     x0, x19
    ccmp    x20, x19, #0, eq
    ccmp    x21, x19, #0, eq
    ccmp    x22, x19, #0, eq
    b.eq    1b
    brk     #0

// A function that a handler calls: it makes a call (3) itself.
    .global user_called
user_called:
    mov     x8, #3
    svc     #0
    ret
    .balign 4096
