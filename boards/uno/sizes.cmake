# Bytes of RAM that a loop takes besides its stack: the size of LoopState (sketch/kernel.cpp checks it).
set(HOCKET_UNO_LOOP_STATE_BYTES 96)
