# Bytes of RAM that a loop takes besides its stack: the size of LoopState (sketch/kernel.cpp checks it).
set(HOCKET_UNO_LOOP_STATE_BYTES 90)
# What the stack of main() has at least: setup() with interrupts on top, then the start of the loops. 159 were
# used where the first kick came while the kernel started them.
set(HOCKET_UNO_MAIN_STACK_BYTES 176)
