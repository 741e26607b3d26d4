// The generator's time is not the board's: what stays behind at EL2 to take it out of the clock.
//
// The processor comes from EL2 (ports/aarch64/start.S) with this as EL2's vectors; the one exception
// that ever goes there is the call below. The virtual counter is the physical one less CNTVOFF_EL2
// (DDI 0487, D11.2.3), so a larger offset is time that has not passed, for the kernel, its timer and
// the sketch alike.
    .section .text.hypervisor, "ax"
    .balign 0x800
    .global hocket_hypervisor
hocket_hypervisor:
    .skip   0x400                       // from EL2 itself: never
    mrs     x1, cntvoff_el2             // from EL1, synchronous (D1.3.1)
    add     x1, x1, x0
    msr     cntvoff_el2, x1
    isb
    eret

// void hocket_take_out_of_clock(uint64_t ticks): masked, where EL2 is there.
    .global hocket_take_out_of_clock
hocket_take_out_of_clock:
    hvc     #0
    ret
