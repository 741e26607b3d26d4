// The generator's time is not the board's: what stays behind at EL2 to take it out of the clock.
//
// The processor comes from EL2 (ports/aarch64/start.S) with this as EL2's vectors; the one exception
// that ever goes there is the call below.
#include "exception_level.inc"

    .section .text.hypervisor, "ax"
    .balign 0x800
    .global hocket_hypervisor
hocket_hypervisor:
    .skip   0x400                       // from EL2 itself: never
    TAKE_BACK_TICKS                     // from EL1, synchronous (D1.3.1)
    eret

// void hocket_take_out_of_clock(uint64_t ticks): masked, where EL2 is there.
    .global hocket_take_out_of_clock
hocket_take_out_of_clock:
    hvc     #0
    ret
