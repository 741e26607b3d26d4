"""What the ways in Python share; they are called as those in C (way.h)."""

import os
import sys


def begin():
    """The lines IN and OUT and the number of the chip's line 0 among all GPIOs."""
    if len(sys.argv) != 5:
        sys.exit(f"use: {sys.argv[0]} IN OUT BASE PRIORITY")
    line_in, line_out, base, priority = (int(word) for word in sys.argv[1:])
    if priority > 0:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
    return line_in, line_out, base
