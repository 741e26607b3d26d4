// Tests for semihosting. Without it, HLT is an undefined instruction, and the exception for this
// one address returns to hocket_probe_failed (traps.inc).
    .section .text.hocket_semihosting_present, "ax"

// bool hocket_semihosting_present()
    .global hocket_semihosting_present
    .global hocket_probe
    .global hocket_probe_failed
    .type hocket_semihosting_present, %function
hocket_semihosting_present:
    mov     w0, #0x13                   // SYS_ERRNO: has no effect (IHI 0100, 6.6)
    mov     x1, xzr
hocket_probe:
    hlt     #0xf000
    mov     w0, #1
    ret
hocket_probe_failed:
    mov     w0, wzr
    ret
    .size hocket_semihosting_present, . - hocket_semihosting_present
