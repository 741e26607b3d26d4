# The board virt: what the build must know of it.
set(HOCKET_TICK_HZ 1000000000) # of CNTVCT_EL0: hocket run asks QEMU for it
set(HOCKET_F_CPU 1000000000L)
set(HOCKET_RAM_BASE 0x40000000)
