"""The answer by the registers of the GPIO chip, mapped out of /dev/mem, without a pause (as registers.c)."""

import mmap
import os

from way import begin

CHIP, PAGE, DIRECTION, END = 0x9030000, 0x1000, 0x400 // 4, 1

line_in, line_out, _ = begin()
line_in, line_out = 1 << line_in, 1 << line_out
memory = os.open("/dev/mem", os.O_RDWR | os.O_SYNC)
chip = memoryview(mmap.mmap(memory, PAGE, offset=CHIP)).cast("I")
chip[DIRECTION] |= line_out
chip[line_out] = line_out
chip[line_out] = 0
look, before = line_in | END, line_in
while True:
    now = chip[look]
    if now != before:
        if now & line_in and not before & line_in:
            chip[line_out] = line_out
            chip[line_out] = 0
        if now & END:
            break
        before = now
