"""Repeats measurements of an emulated machine that idles until two runs agree.

QEMU 7.2 advances an idle clock from two threads, and one of them may do so before the other has counted the
last instructions (accel/tcg/tcg-accel-ops-rr.c, softmmu/icount.c: `icount_start_warp_timer()` with the lock
of devices, `icount_process_data()` without it). The clock is then a few hundred instructions ahead, and an
alarm is late by as many. It happens on a busy host, about once in ten thousand alarms. Such a run differs
from all others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hocket.errors import EXIT_DEFECT, HocketError

Found = TypeVar("Found")
MOST = 6  # runs


def repeated(run: Callable[[], Found]) -> Found:
    """Returns what two runs have found. Raises HocketError if no two of six runs were equal."""
    seen: list[Found] = []
    for _ in range(MOST):
        found = run()
        if found in seen:
            return found
        seen.append(found)
    raise HocketError(
        f"no two of {MOST} runs of the same machine were the same",
        "they are counted in instructions, so they should be",
        "this is a defect: please report it with the version of qemu-system-arm",
        exit_code=EXIT_DEFECT,
    )
