"""RPi.GPIO's method: epoll on the input's file of sysfs, and registers out of /dev/mem for the output.

RPi.GPIO itself runs on a Raspberry Pi only. Its wait_for_edge() waits in this way, and its output() writes a
register.
"""

import mmap
import os
import select
from pathlib import Path

from way import begin

CHIP, PAGE, DIRECTION = 0x9030000, 0x1000, 0x400 // 4


def write(name, text):
    Path("/sys/class/gpio", name).write_text(text)


line_in, line_out, base = begin()
line_in, line_out = base + line_in, 1 << line_out
write("export", str(line_in))
write(f"gpio{line_in}/edge", "rising")
memory = os.open("/dev/mem", os.O_RDWR | os.O_SYNC)
chip = memoryview(mmap.mmap(memory, PAGE, offset=CHIP)).cast("I")
chip[DIRECTION] |= line_out
value = os.open(f"/sys/class/gpio/gpio{line_in}/value", os.O_RDONLY)
os.read(value, 8)
edge = select.epoll()
edge.register(value, select.EPOLLIN | select.EPOLLET | select.EPOLLPRI)
while True:
    chip[line_out] = line_out
    chip[line_out] = 0
    edge.poll(maxevents=1)
    os.lseek(value, 0, os.SEEK_SET)
    os.read(value, 8)
