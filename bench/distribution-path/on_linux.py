"""E16 at EL3: the same paths of the kernel that has a Debian below it, out of a loop and out of Debian.

Edges come while Debian starts: its kernel works, masks interrupts, and takes its own ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

BESIDE = "linux"
# Where the kernel is, and how much of it: exception_level.h, boards/virt/beside.md.
KERNEL = (0x80_0E00_0000, 0x100_0000)
# Sketches by who is interrupted: a loop that works all the time, or Debian, since the loop sleeps.
SKETCHES = {"a loop": ("own", "direct"), "Debian": ("own-above", "direct-above")}


def paths(trace: Callable[..., Any], three: Callable[..., list[Any]]) -> list[Any]:
    """trace(sketch, kernel, beside): as experiment.py has it; three(own, direct, words): its paths."""
    found = []
    for who, (own, direct) in SKETCHES.items():
        traces = (trace(sketch, KERNEL, BESIDE) for sketch in (own, direct))
        found += three(*traces, f"at EL3, out of {who}: ")
    return found
