# The board rpi3: what the build must know of it.
set(HOCKET_TICK_HZ 19200000) # of CNTVCT_EL0: the crystal (BCM2837)
set(HOCKET_F_CPU 1200000000L)
set(HOCKET_RAM_BASE 0)
